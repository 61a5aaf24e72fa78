#include "app/pictures/drawing.h"

#include "app/pictures/characters.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

namespace app {

namespace {

constexpr float nothing = 0.01f; // of a unit: less is no distance

bool near(ImVec2 a, ImVec2 b)
{
    return std::abs(a.x - b.x) < nothing && std::abs(a.y - b.y) < nothing;
}

ImVec2 middle(ImVec2 a, ImVec2 b)
{
    return {(a.x + b.x) / 2, (a.y + b.y) / 2};
}

float distance(ImVec2 a, ImVec2 b)
{
    return std::hypot(a.x - b.x, a.y - b.y);
}

// The corners of one fan.
using Corners = std::span<const ImDrawVert>;

bool is_box(const std::vector<ImVec2>& points)
{
    if (points.size() != 4)
        return false;
    const bool across = std::abs(points[0].y - points[1].y) < nothing;
    for (std::size_t i = 0; i < 4; ++i) {
        const ImVec2 a = points[i], b = points[(i + 1) % 4];
        if (std::abs(across == (i % 2 == 0) ? a.y - b.y : a.x - b.x) >= nothing)
            return false;
    }
    return true;
}

std::optional<Disc> disc_of(const std::vector<ImVec2>& points)
{
    if (points.size() < 8)
        return std::nullopt;
    Disc disc;
    for (const ImVec2 point : points) {
        disc.middle.x += point.x / static_cast<float>(points.size());
        disc.middle.y += point.y / static_cast<float>(points.size());
    }
    disc.radius = distance(disc.middle, points.front());
    const float side = 2 * disc.radius * std::sin(std::numbers::pi_v<float> / static_cast<float>(points.size()));
    const float allowed = std::max(0.02f * disc.radius, 2 * nothing);
    for (std::size_t i = 0; i < points.size(); ++i)
        if (std::abs(distance(disc.middle, points[i]) - disc.radius) > allowed ||
            std::abs(distance(points[i], points[(i + 1) % points.size()]) - side) > std::max(0.15f * side, allowed))
            return std::nullopt;
    return disc;
}

// A quad as ImGui draws a stretch of a line: from between its first and last corner to between the two others.
struct Stretch {
    ImVec2 from, to;
    float width = 0;
};

std::optional<Stretch> stretch_of(const std::vector<ImVec2>& points)
{
    if (points.size() != 4)
        return std::nullopt;
    const Stretch stretch{middle(points[0], points[3]), middle(points[1], points[2]), distance(points[0], points[3])};
    const ImVec2 along{points[1].x - points[0].x, points[1].y - points[0].y};
    const ImVec2 across{points[3].x - points[0].x, points[3].y - points[0].y};
    const ImVec2 opposite{points[2].x - points[3].x, points[2].y - points[3].y};
    const float dot = along.x * across.x + along.y * across.y;
    if (!near(along, opposite) || std::abs(dot) > 0.02f * distance({}, along) * distance({}, across) + 1e-4f)
        return std::nullopt;
    return stretch;
}

class Reader {
public:
    Reader(const ImFontAtlas& atlas, const std::function<Picture(ImTextureID)>& picture_of, Drawing& drawing)
        : atlas_(atlas), characters_(atlas), picture_of_(picture_of), drawing_(drawing)
    {
    }

    void read(const ImDrawList& list)
    {
        for (const ImDrawCmd& command : list.CmdBuffer)
            if (command.UserCallback == nullptr)
                read(list, command);
    }

private:
    void read(const ImDrawList& list, const ImDrawCmd& command)
    {
        const auto* indices = list.IdxBuffer.Data + command.IdxOffset;
        const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
        for (unsigned i = 0; i + 2 < command.ElemCount;) {
            const unsigned first = indices[i];
            unsigned last = indices[i + 2];
            for (i += 3; i + 2 < command.ElemCount && indices[i] == first && indices[i + 1] == last &&
                         indices[i + 2] == last + 1;
                 i += 3)
                ++last;
            add({vertices + first, last - first + 1}, command);
        }
    }

    void add(Corners corners, const ImDrawCmd& command)
    {
        const ImVec4& clip = command.ClipRect;
        if (clip.z <= clip.x || clip.w <= clip.y)
            return;
        const bool is_image = command.GetTexID() != atlas_.TexID;
        const ImU32 colour = corners.front().col;
        if (!is_image && colour >> IM_COL32_A_SHIFT == 0)
            return;
        ImVec2 min = corners.front().pos, max = min;
        for (const ImDrawVert& corner : corners) {
            min = {std::min(min.x, corner.pos.x), std::min(min.y, corner.pos.y)};
            max = {std::max(max.x, corner.pos.x), std::max(max.y, corner.pos.y)};
        }
        if (max.x <= clip.x || min.x >= clip.z || max.y <= clip.y || min.y >= clip.w)
            return;
        Shape shape{.colour = colour, .clip = clip};
        shape.clipped = min.x < clip.x || min.y < clip.y || max.x > clip.z || max.y > clip.w;
        if (is_image)
            add_image(corners, command.GetTexID(), shape);
        else if (near_white(corners))
            add_fill(corners, shape);
        else if (const std::optional<SeenCharacter> seen = characters_.find(corners))
            add_character(*seen, shape);
    }

    bool near_white(Corners corners) const
    {
        const ImVec2 white = atlas_.TexUvWhitePixel;
        return std::ranges::all_of(
            corners, [&](const ImDrawVert& corner) { return corner.uv.x == white.x && corner.uv.y == white.y; });
    }

    void add_image(Corners corners, ImTextureID texture, Shape& shape)
    {
        if (corners.size() != 4)
            return;
        Picture picture = picture_of_(texture);
        if (picture.pixels.empty())
            return;
        shape.what = Image{corners[0].pos, corners[2].pos, std::move(picture)};
        drawing_.shapes.push_back(std::move(shape));
    }

    void add_fill(Corners corners, Shape& shape)
    {
        std::vector<ImVec2> points;
        for (const ImDrawVert& corner : corners)
            if (points.empty() || !near(points.back(), corner.pos))
                points.push_back(corner.pos);
        while (points.size() > 1 && near(points.front(), points.back()))
            points.pop_back();
        if (points.size() < 3 || goes_on_with(points, shape))
            return;
        if (const std::optional<Disc> disc = disc_of(points)) {
            shape.what = *disc;
        } else {
            const bool box = is_box(points);
            if (box && shape.clipped)
                for (ImVec2& point : points)
                    point = {std::clamp(point.x, shape.clip.x, shape.clip.z),
                             std::clamp(point.y, shape.clip.y, shape.clip.w)};
            shape.clipped &= !box;
            const std::optional<Stretch> stretch = box ? std::nullopt : stretch_of(points);
            if (stretch)
                shape.what = Line{{stretch->from, stretch->to}, stretch->width};
            else
                shape.what = Fill{{std::move(points)}, box};
        }
        drawing_.shapes.push_back(std::move(shape));
    }

    // Stretches of one line become that line, opaque neighbours of one colour one shape.
    bool goes_on_with(const std::vector<ImVec2>& points, const Shape& shape)
    {
        if (drawing_.shapes.empty())
            return false;
        Shape& last = drawing_.shapes.back();
        if (last.colour != shape.colour)
            return false;
        if (const std::optional<Stretch> next = stretch_of(points); next && same_clip(last, shape))
            if (goes_on_as_line(last, *next, shape.clipped))
                return true;
        auto* fill = std::get_if<Fill>(&last.what);
        const bool merges = fill != nullptr && fill->boxes && is_box(points) && !shape.clipped &&
                            shape.colour >> IM_COL32_A_SHIFT == 0xff;
        if (merges)
            fill->loops.push_back(points);
        return merges;
    }

    static bool same_clip(const Shape& a, const Shape& b)
    {
        return a.clip.x == b.clip.x && a.clip.y == b.clip.y && a.clip.z == b.clip.z && a.clip.w == b.clip.w;
    }

    static bool same_direction(const Stretch& a, const Stretch& b)
    {
        const float cross = (a.to.x - a.from.x) * (b.to.y - b.from.y) - (a.to.y - a.from.y) * (b.to.x - b.from.x);
        return std::abs(cross) < nothing;
    }

    static bool goes_on_as_line(Shape& last, const Stretch& next, bool clipped)
    {
        if (auto* fill = std::get_if<Fill>(&last.what); fill != nullptr && !last.clipped) {
            // An upright stretch looked like a box.
            const std::optional<Stretch> before = stretch_of(fill->loops.back());
            if (fill->loops.size() > 1 || !before || !near(before->to, next.from) || same_direction(*before, next) ||
                std::abs(before->width - next.width) > nothing)
                return false;
            last.what = Line{{before->from, before->to}, before->width};
        }
        auto* line = std::get_if<Line>(&last.what);
        if (line == nullptr || line->closed || !near(line->points.back(), next.from) ||
            std::abs(line->width - next.width) > nothing)
            return false;
        if (near(line->points.front(), next.to))
            line->closed = true;
        else
            line->points.push_back(next.to);
        last.clipped |= clipped;
        return true;
    }

    void add_character(const SeenCharacter& seen, Shape& shape)
    {
        if (!drawing_.shapes.empty()) {
            Shape& last = drawing_.shapes.back();
            auto* words = std::get_if<Words>(&last.what);
            if (words != nullptr && last.colour == shape.colour && same_clip(last, shape) && goes_on(*words, seen)) {
                last.clipped |= shape.clipped;
                return;
            }
        }
        Words words{.font = seen.font->GetDebugName(), .size = seen.font->FontSize * seen.scale, .start = seen.origin};
        append(words, seen.character, seen.origin.x, seen.advance);
        shape.what = std::move(words);
        drawing_.shapes.push_back(std::move(shape));
    }

    // Words of one sentence may have been drawn one by one, each from a whole pixel on.
    static bool goes_on(Words& words, const SeenCharacter& seen)
    {
        const float pen = words.start.x + words.width;
        const float blank = seen.font->GetCharAdvance(' ') * seen.scale;
        const float blanks = std::round((seen.origin.x - pen) / blank);
        if (words.font != seen.font->GetDebugName() ||
            std::abs(words.size - seen.font->FontSize * seen.scale) > nothing ||
            std::abs(words.start.y - seen.origin.y) > nothing || blanks < 0 || blanks > 3 ||
            std::abs(pen + blanks * blank - seen.origin.x) > (blanks > 0 ? 0.75f : 0.05f))
            return false;
        for (float i = 0; i < blanks; ++i)
            append(words, U' ', pen + i * blank, blank);
        append(words, seen.character, seen.origin.x, seen.advance);
        return true;
    }

    static void append(Words& words, char32_t code, float x, float advance)
    {
        words.characters.push_back({code, x});
        words.text += utf8(code);
        words.width = x + advance - words.start.x;
    }

    const ImFontAtlas& atlas_;
    Characters characters_;
    const std::function<Picture(ImTextureID)>& picture_of_;
    Drawing& drawing_;
};

} // namespace

Drawing drawing_of(const ImDrawData& data, const ImFontAtlas& atlas,
                   const std::function<Picture(ImTextureID)>& picture_of)
{
    Drawing drawing{.width = data.DisplaySize.x, .height = data.DisplaySize.y};
    Reader reader(atlas, picture_of, drawing);
    for (int i = 0; i < data.CmdListsCount; ++i)
        reader.read(*data.CmdLists[i]);
    return drawing;
}

} // namespace app
