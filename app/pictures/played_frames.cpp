#include "app/pictures/played_frames.h"

#include "app/pictures/packed_words.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

namespace app {

namespace {

// Returns the index of a value in a list without duplicates. Appends the value if it is new.
template <class Places, class Value>
std::size_t place_in(Places& places, std::vector<Value>& all, const Value& value)
{
    const auto [found, is_new] = places.try_emplace(value, all.size());
    if (is_new)
        all.push_back(value);
    return found->second;
}

} // namespace

void PlayedFrames::take(const ImDrawData& data, viz::Colour background)
{
    Captured& one = captured_.emplace_back();
    one.drawn = {{}, data.DisplayPos, data.DisplaySize, background, {}};
    width_ = static_cast<int>(data.DisplaySize.x);
    height_ = static_cast<int>(data.DisplaySize.y);
    if (atlas_.empty())
        keep_characters();
    const ImTextureID of_fonts = ImGui::GetIO().Fonts->TexID;
    for (int i = 0; i < data.CmdListsCount; ++i) {
        one.lists.emplace_back(data.CmdLists[i]->CloneOutput());
        one.drawn.lists.push_back(one.lists.back().get());
        note_characters(*data.CmdLists[i]);
        for (const ImDrawCmd& command : data.CmdLists[i]->CmdBuffer) {
            if (command.UserCallback != nullptr || command.TextureId == of_fonts ||
                one.pixels.contains(command.TextureId))
                continue;
            const Picture picture =
                read_texture_(static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(command.TextureId)));
            // Puts the size before the pixels, as eight bytes.
            std::vector<unsigned char>& pixels = one.pixels[command.TextureId];
            pixels.resize(8 + picture.pixels.size() * sizeof(uint32_t));
            std::memcpy(pixels.data(), &picture.width, 4);
            std::memcpy(pixels.data() + 4, &picture.height, 4);
            std::memcpy(pixels.data() + 8, picture.pixels.data(), pixels.size() - 8);
        }
    }
}

void PlayedFrames::end(const PlayedMoment& moment, const std::vector<viz::TipArea>& tips)
{
    std::vector<FrameEncoder::Drawn> themes;
    for (const Captured& one : captured_) {
        themes.push_back(one.drawn);
        themes.back().read = [this, &one](ImTextureID id) -> TexturePixels {
            if (id == ImGui::GetIO().Fonts->TexID) // packed() writes the pixels of this texture
                return {atlas_width_, atlas_height_, 1, {}};
            const std::vector<unsigned char>& pixels = one.pixels.at(id);
            uint32_t width = 0, height = 0;
            std::memcpy(&width, pixels.data(), 4);
            std::memcpy(&height, pixels.data() + 4, 4);
            return {static_cast<int>(width), static_cast<int>(height), 4, std::span(pixels).subspan(8)};
        };
    }
    if (FrameEncoder::same_shapes(themes[0], themes[1])) {
        const std::size_t both = add(themes);
        shown_[0].push_back(both);
        shown_[1].push_back(both);
    } else {
        shown_[0].push_back(add({themes[0], themes[0]}));
        shown_[1].push_back(add({themes[1], themes[1]}));
    }
    captured_.clear();
    tips_.push_back(list_of(tips));
    steps_.push_back(moment.step);
    milliseconds_.push_back(moment.milliseconds);
}

// Encodes a frame and returns its index. Encodes nothing if the frame before is the same.
std::size_t PlayedFrames::add(std::vector<FrameEncoder::Drawn> themes)
{
    if (const auto columns = encoder_.encode(themes)) {
        for (std::size_t i = 0; i < columns->size(); ++i)
            frames_[i] += (*columns)[i];
        ++frame_count_;
    }
    return frame_count_ - 1;
}

std::size_t PlayedFrames::list_of(const std::vector<viz::TipArea>& tips)
{
    std::vector<std::size_t> list;
    for (const viz::TipArea& tip : tips) {
        const auto left = static_cast<int>(std::floor(tip.min.x)), top = static_cast<int>(std::floor(tip.min.y));
        const Area area{left, top, static_cast<int>(std::ceil(tip.max.x)) - left,
                        static_cast<int>(std::ceil(tip.max.y)) - top, place_in(place_of_words_, words_, tip.words)};
        list.push_back(place_in(place_of_area_, areas_, area));
    }
    return place_in(place_of_list_, lists_, list);
}

void PlayedFrames::keep_characters()
{
    unsigned char* bytes = nullptr;
    ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&bytes, &atlas_width_, &atlas_height_);
    atlas_.assign(bytes,
                  bytes + std::size_t{static_cast<unsigned>(atlas_width_)} * static_cast<unsigned>(atlas_height_));
}

void PlayedFrames::note_characters(const ImDrawList& list)
{
    // Adds a pixel on each side, because the page mixes the colors of adjacent pixels.
    const auto pixel = [](float at, int size, float beyond) {
        return static_cast<uint64_t>(
            std::clamp(static_cast<int>(std::floor(at * static_cast<float>(size) + beyond)), 0, size));
    };
    for (const ImDrawCmd& command : list.CmdBuffer) {
        if (command.UserCallback != nullptr || command.TextureId != ImGui::GetIO().Fonts->TexID)
            continue;
        for (unsigned i = 0; i + 3 <= command.ElemCount; i += 3) {
            const auto corner = [&](unsigned which) {
                return list
                    .VtxBuffer[static_cast<int>(list.IdxBuffer[static_cast<int>(command.IdxOffset + i + which)] +
                                                command.VtxOffset)]
                    .uv;
            };
            const ImVec2 a = corner(0), b = corner(1), c = corner(2);
            const auto [left, right] = std::minmax({a.x, b.x, c.x});
            const auto [top, bottom] = std::minmax({a.y, b.y, c.y});
            used_of_atlas_.insert(pixel(left, atlas_width_, -1) | pixel(top, atlas_height_, -1) << 16 |
                                  pixel(right, atlas_width_, 2) << 32 | pixel(bottom, atlas_height_, 2) << 48);
        }
    }
}

std::string PlayedFrames::characters() const
{
    std::string blank(atlas_.size(), '\0');
    const auto width = static_cast<std::size_t>(atlas_width_);
    for (const uint64_t box : used_of_atlas_) {
        const auto side = [&](int which) { return static_cast<std::size_t>(box >> (16 * which) & 0xffff); };
        for (std::size_t row = side(1); row < side(3); ++row)
            std::memcpy(blank.data() + row * width + side(0), atlas_.data() + row * width + side(0), side(2) - side(0));
    }
    return blank;
}

std::string PlayedFrames::packed() const
{
    const std::string about = nlohmann::json{
        {"width", width_},
        {"height", height_},
        {"scale", scale_},
        {"perPixel", per_pixel},
        {"frameCount", frame_count_},
        {"shown", shown_},
        {"tips", tips_},
        {"milliseconds", milliseconds_},
        {"steps", steps_}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    ByteWriter all;
    const auto sized = [&](const std::string& bytes) {
        all.number(bytes.size());
        all.bytes(bytes);
    };
    sized(about);
    const PackedWords words(words_);
    all.bytes(words.bytes());
    all.number(areas_.size());
    Area before;
    std::size_t said_before = 0;
    for (const Area& area : areas_) {
        for (int Area::*side : {&Area::left, &Area::top, &Area::width, &Area::height})
            all.difference(area.*side - before.*side);
        const std::size_t said = words.place(area.words);
        all.difference(static_cast<int64_t>(said) - static_cast<int64_t>(std::exchange(said_before, said)));
        before = area;
    }
    all.number(lists_.size());
    for (const std::vector<std::size_t>& list : lists_) {
        all.number(list.size());
        std::size_t next = 0;
        for (const std::size_t area : list) {
            all.difference(static_cast<int64_t>(area) - static_cast<int64_t>(next));
            next = area + 1;
        }
    }
    all.number(static_cast<uint64_t>(atlas_width_));
    all.number(static_cast<uint64_t>(atlas_height_));
    all.bytes(characters());
    for (const std::string& column : frames_)
        sized(column);
    return deflated(all.text());
}

} // namespace app
