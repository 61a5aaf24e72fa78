#include "app/pictures/frame_encoder.h"

#include "viz/draw/draw.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace app {

namespace {

constexpr std::size_t numbers_of_quad = 9; // left, top, width, height, texture coordinates of two corners, color
constexpr std::size_t numbers_of_vertex = 5, numbers_of_triangle = 3;
constexpr std::size_t most_quads = 96, most_triangles = 256;

int64_t in_texture(float at)
{
    return std::lround(at * FrameEncoder::per_texture);
}

uint64_t mixed(uint64_t hash, uint64_t value) // the finalizer of SplitMix64
{
    hash ^= value + 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
    return hash ^ hash >> 31;
}

uint64_t hash_of(std::span<const int64_t> numbers, uint64_t hash = 0)
{
    for (const int64_t one : numbers)
        hash = mixed(hash, static_cast<uint64_t>(one));
    return hash;
}

// Returns whether the six indices are the two triangles of one box, as ImGui draws characters and filled boxes.
bool is_quad(const ImDrawVert* vertices, const ImDrawIdx* at)
{
    const unsigned a = at[0];
    if (at[1] != a + 1 || at[2] != a + 2 || at[3] != a || at[4] != a + 2 || at[5] != a + 3)
        return false;
    const ImDrawVert *v = vertices + a, &p = v[0], &q = v[1], &r = v[2], &s = v[3];
    return p.pos.y == q.pos.y && q.pos.x == r.pos.x && r.pos.y == s.pos.y && s.pos.x == p.pos.x && p.uv.y == q.uv.y &&
           q.uv.x == r.uv.x && r.uv.y == s.uv.y && s.uv.x == p.uv.x && p.col == q.col && q.col == r.col &&
           r.col == s.col;
}

// Combines the colors of one theme or of two: the second color is in the upper 32 bits.
int64_t in_themes(viz::Colour first, std::optional<viz::Colour> second)
{
    return static_cast<int64_t>(uint64_t{second.value_or(0)} << 32 | first);
}

int64_t colour_of(const std::vector<const ImDrawList*>& lists, const ImDrawVert& vertex)
{
    const auto at = static_cast<int>(&vertex - lists.front()->VtxBuffer.Data);
    return in_themes(vertex.col, lists.size() > 1 ? std::optional(lists[1]->VtxBuffer[at].col) : std::nullopt);
}

uint64_t hash_of_vertex(const ImDrawVert& vertex)
{
    const auto place = [](float at) { return static_cast<uint64_t>(std::lround(at * 32)); };
    return mixed(mixed(vertex.col, place(vertex.pos.x)), place(vertex.pos.y));
}

void write_gone(const ByteWriter& gone, std::size_t count, ByteWriter& to)
{
    to.number(count);
    to.bytes(gone.text());
}

} // namespace

void FrameEncoder::Table::write(const std::vector<int64_t>& value, ByteWriter& to)
{
    const auto [found, is_new] = places_.try_emplace(value, places_.size());
    to.number(found->second);
    if (is_new) // the page recognizes a new value, because its index is the size of the table
        for (const int64_t number : value)
            to.difference(number);
}

int64_t FrameEncoder::place(float at) const
{
    return std::lround(at * look_.per_pixel);
}

void FrameEncoder::append_quad(const ImDrawVert& from, const ImDrawVert& until, int64_t colour,
                               std::vector<int64_t>& to) const
{
    const int64_t left = place(from.pos.x), top = place(from.pos.y);
    to.insert(to.end(), {left, top, place(until.pos.x) - left, place(until.pos.y) - top, in_texture(from.uv.x),
                         in_texture(from.uv.y), in_texture(until.uv.x), in_texture(until.uv.y), colour});
}

void FrameEncoder::append_vertex(const ImDrawVert& vertex, int64_t colour, std::vector<int64_t>& to) const
{
    to.insert(to.end(),
              {place(vertex.pos.x), place(vertex.pos.y), in_texture(vertex.uv.x), in_texture(vertex.uv.y), colour});
}

std::string FrameEncoder::encode(const ImDrawData& data, viz::Colour background, const ReadTexture& read)
{
    Drawn drawn{{}, data.DisplayPos, data.DisplaySize, background, read};
    for (int i = 0; i < data.CmdListsCount; ++i)
        drawn.lists.push_back(data.CmdLists[i]);
    const std::optional<Columns> written = encode(std::vector{std::move(drawn)});
    if (!written)
        return {};
    ByteWriter message;
    message.number(1);
    for (const std::string& column : *written) {
        message.number(column.size());
        message.bytes(column);
    }
    return message.take();
}

std::optional<FrameEncoder::Columns> FrameEncoder::encode(const std::vector<Drawn>& themes)
{
    const Drawn& first = themes.front();
    for (ByteWriter* writer : {&new_textures_, &gone_textures_, &gone_pieces_})
        writer->clear();
    for (ByteWriter& column : columns_)
        column.clear();
    texture_count_ = piece_count_ = gone_texture_count_ = gone_piece_count_ = command_count_ = 0;
    last_clip_ = {};
    last_drawn_ = 0;
    ++turn_;
    const bool anew = std::max({stamps_.size(), points_.size(), colours_.size()}) > most_in_table;
    if (anew)
        stamps_.clear(), points_.clear(), colours_.clear();
    for (std::size_t i = 0; i < first.lists.size(); ++i) {
        ListInThemes lists;
        for (const Drawn& theme : themes)
            lists.push_back(theme.lists[i]);
        add_list(lists, themes);
    }
    if (look_.forgets) {
        forget_textures();
        forget_pieces();
    }

    ByteWriter shown;
    shown.number(static_cast<uint64_t>(first.size.x));
    shown.number(static_cast<uint64_t>(first.size.y));
    for (const Drawn& theme : themes)
        shown.colour(theme.background);
    shown.number(command_count_);
    const std::size_t news = texture_count_ + piece_count_ + gone_texture_count_ + gone_piece_count_;
    std::string now = shown.text() + columns_[commands].text();
    if (news == 0 && !anew && now == shown_)
        return std::nullopt;
    shown_ = std::move(now);

    ByteWriter& written = columns_[frame];
    written.number(++frame_);
    write_gone(gone_textures_, gone_texture_count_, written);
    written.number(texture_count_);
    written.bytes(new_textures_.text());
    written.number(anew ? 1 : 0);
    write_gone(gone_pieces_, gone_piece_count_, written);
    written.number(piece_count_);
    written.bytes(shown.text());
    Columns result;
    for (std::size_t i = 0; i < column_count; ++i)
        result[i] = columns_[i].take();
    return result;
}

bool FrameEncoder::same_shapes(const Drawn& one, const Drawn& other)
{
    const auto same_command = [](const ImDrawCmd& a, const ImDrawCmd& b) {
        const ImVec4 &box = a.ClipRect, &of_other = b.ClipRect;
        return box.x == of_other.x && box.y == of_other.y && box.z == of_other.z && box.w == of_other.w &&
               a.TextureId == b.TextureId && a.VtxOffset == b.VtxOffset && a.IdxOffset == b.IdxOffset &&
               a.ElemCount == b.ElemCount && a.UserCallback == b.UserCallback;
    };
    const auto same_vertex = [](const ImDrawVert& a, const ImDrawVert& b) {
        return a.pos.x == b.pos.x && a.pos.y == b.pos.y && a.uv.x == b.uv.x && a.uv.y == b.uv.y;
    };
    const auto same_list = [&](const ImDrawList* a, const ImDrawList* b) {
        return std::ranges::equal(a->CmdBuffer, b->CmdBuffer, same_command) &&
               std::ranges::equal(a->VtxBuffer, b->VtxBuffer, same_vertex) &&
               std::ranges::equal(a->IdxBuffer, b->IdxBuffer);
    };
    return one.size.x == other.size.x && one.size.y == other.size.y &&
           std::ranges::equal(one.lists, other.lists, same_list);
}

void FrameEncoder::add_list(const ListInThemes& lists, const std::vector<Drawn>& themes)
{
    const ImVec2 corner = themes.front().corner, size = themes.front().size;
    std::vector<uint64_t> pieces;
    for (int i = 0; i < lists.front()->CmdBuffer.Size; ++i) {
        const ImDrawCmd& command = lists.front()->CmdBuffer[i];
        const auto pixel = [](float at, float most) { return static_cast<int64_t>(std::clamp(at, 0.0f, most)); };
        const ImVec4& box = command.ClipRect; // cut to whole pixels below, as ImGui's own renderer does
        const Clip clip{pixel(box.x - corner.x, size.x), pixel(box.y - corner.y, size.y),
                        pixel(box.z - corner.x, size.x), pixel(box.w - corner.y, size.y)};
        if (clip.right <= clip.left || clip.bottom <= clip.top)
            continue;
        pieces.clear();
        if (const auto colour = viz::draw::opaque_fill(command)) {
            const ImVec2 white = ImGui::GetIO().Fonts->TexUvWhitePixel;
            const auto second = lists.size() > 1 ? viz::draw::opaque_fill(lists[1]->CmdBuffer[i]) : std::nullopt;
            std::vector<int64_t> quad;
            append_quad({{std::round(box.x), std::round(box.y)}, white, 0},
                        {{std::round(box.z), std::round(box.w)}, white, 0}, in_themes(*colour, second), quad);
            pieces.push_back(number_of(true, quad, 4));
            const Clip whole{0, 0, static_cast<int64_t>(size.x), static_cast<int64_t>(size.y)};
            add_command(whole, ImGui::GetIO().Fonts->TexID, themes, pieces);
        } else if (command.UserCallback == nullptr) {
            cut(lists, command, clip, pieces);
            if (!pieces.empty())
                add_command(clip, command.TextureId, themes, pieces);
        }
    }
}

void FrameEncoder::add_command(const Clip& clip, ImTextureID shown, const std::vector<Drawn>& themes,
                               const std::vector<uint64_t>& pieces)
{
    const auto difference = [&](int64_t Clip::*side) {
        columns_[commands].difference(clip.*side - std::exchange(last_clip_.*side, clip.*side));
    };
    difference(&Clip::left), difference(&Clip::top), difference(&Clip::right), difference(&Clip::bottom);
    const bool of_fonts = shown == ImGui::GetIO().Fonts->TexID; // their texture has no colors, so all themes share it
    for (std::size_t theme = 0; theme < themes.size(); ++theme)
        columns_[commands].number(texture(shown, of_fonts ? 0 : theme, themes[theme].read));
    columns_[commands].number(pieces.size());
    for (const uint64_t piece : pieces)
        columns_[commands].difference(static_cast<int64_t>(piece - std::exchange(last_drawn_, piece)));
    ++command_count_;
}

// Cuts the indices of a command into pieces. A piece holds either consecutive quads or other consecutive triangles.
// Between a shortest and a longest length, a hash of the contents at a position decides whether a piece ends there, so
// that the cut does not depend on what comes before.
void FrameEncoder::cut(const ListInThemes& lists, const ImDrawCmd& command, const Clip& clip,
                       std::vector<uint64_t>& pieces)
{
    const ImDrawVert* const vertices = lists.front()->VtxBuffer.Data + command.VtxOffset;
    const ImDrawIdx* const indices = lists.front()->IdxBuffer.Data + command.IdxOffset;
    const auto one_colour = [&](const ImDrawIdx* at) { // whether the quad has one color in each theme
        const ImDrawVert* const first = vertices + at[0];
        const int64_t colour = colour_of(lists, *first);
        return std::all_of(first, first + 4, [&](const ImDrawVert& one) { return colour_of(lists, one) == colour; });
    };
    std::vector<int64_t> quads, triangles;
    unsigned base = 0, end = 0; // range of the vertices that `triangles` uses
    const auto end_quads = [&] {
        if (!quads.empty())
            pieces.push_back(number_of(true, quads, quads.size() / numbers_of_quad * 4));
        quads.clear();
    };
    const auto end_triangles = [&] {
        if (triangles.empty())
            return;
        std::vector<int64_t> contents;
        for (unsigned vertex = base; vertex < end; ++vertex)
            append_vertex(vertices[vertex], colour_of(lists, vertices[vertex]), contents);
        contents.insert(contents.end(), triangles.begin(), triangles.end());
        pieces.push_back(number_of(false, contents, end - base));
        triangles.clear();
    };
    for (unsigned i = 0; i + 3 <= command.ElemCount;) {
        const ImDrawIdx* const at = indices + i;
        if (i + 6 <= command.ElemCount && is_quad(vertices, at) && one_colour(at)) {
            end_triangles();
            i += 6;
            const ImDrawVert &from = vertices[at[0]], &until = vertices[at[2]];
            if (std::max(from.pos.x, until.pos.x) <= static_cast<float>(clip.left) ||
                std::min(from.pos.x, until.pos.x) >= static_cast<float>(clip.right) ||
                std::max(from.pos.y, until.pos.y) <= static_cast<float>(clip.top) ||
                std::min(from.pos.y, until.pos.y) >= static_cast<float>(clip.bottom))
                continue; // outside the clip rectangle
            append_quad(from, until, colour_of(lists, from), quads);
            const std::size_t count = quads.size() / numbers_of_quad;
            const uint64_t last = hash_of(std::span(quads).last(numbers_of_quad));
            if (count >= most_quads || (count >= 6 && last % 16 == 0))
                end_quads();
            continue;
        }
        end_quads();
        const auto [low, high] = std::minmax({at[0], at[1], at[2]});
        const bool begins_shape = low >= end;
        const std::size_t count = triangles.size() / numbers_of_triangle;
        const bool may_cut =
            begins_shape && (count >= most_triangles || (count >= 8 && hash_of_vertex(vertices[low]) % 4 == 0));
        if (count > 0 && (low < base || may_cut))
            end_triangles();
        if (triangles.empty())
            base = low, end = low;
        end = std::max(end, unsigned{high} + 1);
        for (int corner = 0; corner < 3; ++corner)
            triangles.push_back(static_cast<int64_t>(at[corner]) - base);
        i += 3;
    }
    end_quads();
    end_triangles();
}

uint64_t FrameEncoder::number_of(bool quads, const std::vector<int64_t>& contents, std::size_t vertices)
{
    const uint64_t hash = hash_of(contents, quads ? 1 : 2);
    const auto [found, is_new] = known_.try_emplace(hash);
    Known& piece = found->second;
    piece.used = turn_;
    if (is_new) {
        piece.number = ++last_piece_;
        piece.vertices = vertices;
        ++piece_count_;
        quads ? add_quads(contents) : add_triangles(contents, vertices);
    }
    return piece.number;
}

void FrameEncoder::write_colour(int64_t colour)
{
    std::vector<int64_t> themes{colour & 0xffffffff};
    if (look_.themes > 1)
        themes.push_back(static_cast<int64_t>(static_cast<uint64_t>(colour) >> 32));
    colours_.write(themes, columns_[colours]);
}

// Writes a piece of quads:
//     shapes   0, number of quads
//     x, y     for each quad: its left edge minus the right edge of the quad before, its top minus the top before
//     stamps   for each quad: size and texture coordinates of two corners
//     colours  for each quad: its color
void FrameEncoder::add_quads(const std::vector<int64_t>& contents)
{
    columns_[shapes].number(0);
    columns_[shapes].number(contents.size() / numbers_of_quad);
    int64_t right = 0, top = 0;
    for (auto at = contents.begin(); at != contents.end(); at += numbers_of_quad) {
        columns_[x].difference(at[0] - right);
        columns_[y].difference(at[1] - top);
        right = at[0] + at[2];
        top = at[1];
        stamps_.write({at + 2, at + 8}, columns_[stamps]);
        write_colour(at[8]);
    }
}

// Writes a piece of triangles:
//     shapes   1, number of vertices, number of indices
//     x, y     for each vertex: the difference to the vertex before
//     points   for each vertex: texture coordinates
//     colours  for each vertex: its color
//     indices  each index as the difference to the index before
void FrameEncoder::add_triangles(const std::vector<int64_t>& contents, std::size_t vertices)
{
    const auto index_begin = contents.begin() + static_cast<std::ptrdiff_t>(vertices * numbers_of_vertex);
    columns_[shapes].number(1);
    columns_[shapes].number(vertices);
    columns_[shapes].number(static_cast<uint64_t>(contents.end() - index_begin));
    int64_t across = 0, down = 0, index = 0;
    for (auto at = contents.begin(); at != index_begin; at += numbers_of_vertex) {
        columns_[x].difference(at[0] - std::exchange(across, at[0]));
        columns_[y].difference(at[1] - std::exchange(down, at[1]));
        points_.write({at + 2, at + 4}, columns_[points]);
        write_colour(at[4]);
    }
    for (auto at = index_begin; at != contents.end(); ++at)
        columns_[indices].difference(*at - std::exchange(index, *at));
}

// Returns the texture's number. Writes what the page does not have of the texture. If the page has an older version of
// the same size, writes the rows from the first to the last changed one.
uint64_t FrameEncoder::texture(ImTextureID id, std::size_t theme, const ReadTexture& read)
{
    Sent& sent = textures_[{id, theme}];
    if (sent.used == turn_)
        return sent.number;
    sent.used = turn_;
    const TexturePixels now = read(id);
    const std::size_t row = static_cast<std::size_t>(now.width) * static_cast<std::size_t>(now.bytes_per_pixel);
    int first = 0, end = now.bytes.empty() ? 0 : now.height;
    if (sent.number != 0 && sent.width == now.width && sent.height == now.height &&
        sent.bytes_per_pixel == now.bytes_per_pixel) {
        const auto same = [&](int y) {
            const std::size_t at = static_cast<std::size_t>(y) * row;
            return std::equal(now.bytes.begin() + static_cast<std::ptrdiff_t>(at),
                              now.bytes.begin() + static_cast<std::ptrdiff_t>(at + row),
                              sent.pixels.begin() + static_cast<std::ptrdiff_t>(at));
        };
        while (first < end && same(first))
            ++first;
        while (end > first && same(end - 1))
            --end;
        if (first == end)
            return sent.number;
    }
    if (sent.number == 0)
        sent.number = ++last_texture_;
    sent.width = now.width, sent.height = now.height, sent.bytes_per_pixel = now.bytes_per_pixel;
    sent.pixels.assign(now.bytes.begin(), now.bytes.end());
    for (const uint64_t number :
         {sent.number, static_cast<uint64_t>(now.width), static_cast<uint64_t>(now.height),
          static_cast<uint64_t>(now.bytes_per_pixel), static_cast<uint64_t>(first), static_cast<uint64_t>(end - first)})
        new_textures_.number(number);
    new_textures_.bytes({reinterpret_cast<const char*>(now.bytes.data()) + static_cast<std::size_t>(first) * row,
                         static_cast<std::size_t>(end - first) * row});
    ++texture_count_;
    return sent.number;
}

void FrameEncoder::forget_textures()
{
    constexpr uint64_t frames_kept = 100;
    std::erase_if(textures_, [&](const auto& one) {
        if (one.second.used + frames_kept >= turn_)
            return false;
        gone_textures_.number(one.second.number);
        ++gone_texture_count_;
        return true;
    });
}

void FrameEncoder::forget_pieces()
{
    std::size_t unused = 0;
    for (const auto& [hash, piece] : known_)
        unused += piece.used == turn_ ? 0 : piece.vertices;
    if (unused <= most_unused_vertices)
        return;
    std::vector<std::pair<uint64_t, uint64_t>> oldest; // (used, hash)
    for (const auto& [hash, piece] : known_)
        if (piece.used != turn_)
            oldest.emplace_back(piece.used, hash);
    std::ranges::sort(oldest);
    for (const auto& [used, hash] : oldest) {
        if (unused <= most_unused_vertices / 2)
            break;
        const auto found = known_.find(hash);
        unused -= found->second.vertices;
        gone_pieces_.number(found->second.number);
        ++gone_piece_count_;
        known_.erase(found);
    }
}

} // namespace app
