#include "viz/views/40_registers/warp_pictures.h"

#include "viz/views/40_registers/fragment_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

constexpr uint32_t lanes = recording::warp_size;

// A cell with the number of a lane in it, in the lane's colour.
// The lane, and below it the value that it holds, where that is known and has room.
void draw_lane_cell(const WarpPicture& picture, const draw::Box& box, uint32_t lane, const std::string& value = "")
{
    ImDrawList* list = ImGui::GetWindowDrawList();
    const bool selected = lane == picture.lane;
    const Colour face = lane_colour(picture.theme, lane);
    list->AddRectFilled(box.min, {box.max.x - 1, box.max.y - 1}, face);
    const float line = draw::measure(picture.theme.mono, "0").y, middle = (box.min.y + box.max.y) / 2;
    if (!value.empty() && box.height() >= 2 * line) {
        draw::text_in(list, picture.theme.mono, {{box.min.x, middle - line}, {box.max.x, middle}},
                      draw::with_alpha(ink_on(face), 0.7f), std::to_string(lane));
        draw::text_in(list, picture.theme.mono_bold, {{box.min.x, middle}, {box.max.x, middle + line}}, ink_on(face),
                      value);
    } else {
        draw::text_in(list, picture.theme.mono, box, ink_on(face), std::to_string(lane));
    }
    if (selected)
        list->AddRect({box.min.x - 1, box.min.y - 1}, box.max, picture.theme.ink, 0, 0, picture.theme.px(2.5f));
}

std::optional<uint32_t> clicked(std::optional<uint32_t> lane)
{
    return ImGui::IsItemClicked() ? lane : std::nullopt;
}

void label(const WarpPicture& picture, ImVec2 at, const std::string& words)
{
    draw::text(ImGui::GetWindowDrawList(), picture.theme.mono_bold, at, picture.theme.ink, words);
}

float warp_label_room(const Theme& theme)
{
    return std::ceil(draw::measure(theme.mono_bold, "0").y + theme.px(4));
}

// As much of it as fits beside the next one.
std::string matrix_name(const WarpPicture& picture, uint32_t matrix, float room)
{
    const std::string names[] = {fmt::format("matrix {0}, register {0} of each lane", matrix),
                                 fmt::format("matrix {0}, register {0}", matrix)};
    for (const std::string& name : names)
        if (draw::measure(picture.theme.mono_bold, name).x < room)
            return name;
    return fmt::format("matrix {}", matrix);
}

} // namespace

std::optional<uint32_t> draw_shuffle(const WarpPicture& picture, const draw::Box& box, const ViewFrame& frame)
{
    const Theme& theme = picture.theme;
    const recording::Access& access = picture.access;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float room = warp_label_room(theme), cell = std::floor(box.width() / lanes);
    const float high = std::ceil(draw::measure(theme.mono, "0").y + theme.px(6));
    const float top = box.min.y + room, bottom = std::max(box.max.y - high - room, top + high + theme.px(40));
    const auto box_of = [&](uint32_t lane, float y) {
        const float x = box.min.x + cell * static_cast<float>(lane);
        return draw::Box{{x, y}, {x + cell, y + high}};
    };
    label(picture, box.min, "whose register is read");
    label(picture, {box.min.x, bottom + high + theme.px(3)}, "who gets the value");
    for (const bool selected : {false, true})
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            if (!takes_part(access, lane) || access.offset[lane] >= lanes || selected != (lane == picture.lane))
                continue;
            const uint32_t from = access.offset[lane];
            const draw::Box source = box_of(from, top), target = box_of(lane, bottom);
            list->AddLine({(source.min.x + source.max.x) / 2, source.max.y},
                          {(target.min.x + target.max.x) / 2, target.min.y},
                          selected ? theme.ink : lane_colour(theme, from), theme.px(selected ? 3.0f : 1.5f));
        }
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        const draw::Box source = box_of(lane, top), target = box_of(lane, bottom);
        bool asked = false;
        for (uint32_t other = 0; other < lanes; ++other)
            asked = asked || (takes_part(access, other) && access.offset[other] == lane);
        if (asked)
            draw_lane_cell(picture, source, lane);
        else {
            list->AddRect(source.min, {source.max.x - 1, source.max.y - 1}, theme.border);
            draw::text_in(list, theme.mono, source, theme.ink_faint, std::to_string(lane));
        }
        mark(picture.marks, fmt::format("from {}", lane), source.min, source.max);
        if (!takes_part(access, lane) || access.offset[lane] >= lanes)
            continue;
        // In the colour of the lane that the value comes from.
        const Colour face = lane_colour(theme, access.offset[lane]);
        list->AddRectFilled(target.min, {target.max.x - 1, target.max.y - 1}, face);
        if (lane == picture.lane)
            list->AddRect({target.min.x - 1, target.min.y - 1}, target.max, theme.ink, 0, 0, theme.px(2.5f));
        draw::text_in(list, theme.mono, target, ink_on(face), std::to_string(lane));
        mark(picture.marks, fmt::format("to {}", lane), target.min, target.max);
    }
    ImGui::SetCursorScreenPos({box.min.x, top});
    ImGui::InvisibleButton("shuffle", {cell * lanes, bottom + high - top});
    std::optional<uint32_t> under;
    for (uint32_t lane = 0; ImGui::IsItemHovered() && lane < lanes; ++lane)
        if (box_of(lane, top).holds(ImGui::GetMousePos()) || box_of(lane, bottom).holds(ImGui::GetMousePos()))
            under = lane;
    if (under && takes_part(access, *under))
        frame.point_out({"registers.shuffle_hint", {{"lane", index(*under)}, {"from", index(access.offset[*under])}}});
    return clicked(under);
}

std::optional<uint32_t> draw_matrix_load(const MatrixLoadPicture& picture, const draw::Box& box, const ViewFrame& frame)
{
    const WarpPicture& warp = picture.warp;
    const Theme& theme = warp.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    constexpr uint32_t matrices = 4, side = 8;
    const float room = warp_label_room(theme), gap = theme.px(22);
    const float cell =
        std::floor(std::min({(box.width() - gap) / (2 * (side + 1.5f)), (box.height() - 2 * room - gap) / (2 * side)}));
    const uint32_t wide = picture.element_bytes / 2; // places of an element
    ImGui::SetCursorScreenPos(box.min);
    ImGui::InvisibleButton("ldmatrix", {2 * cell * (side + 1.5f) + gap, 2 * (cell * side + room) + gap});
    const bool hovered = ImGui::IsItemHovered();
    std::optional<uint32_t> under;
    for (uint32_t matrix = 0; matrix < matrices; ++matrix) {
        const ImVec2 corner{box.min.x + static_cast<float>(matrix / 2) * (cell * (side + 1.5f) + gap),
                            box.min.y + static_cast<float>(matrix % 2) * (cell * side + room + gap * 0.5f)};
        label(warp, corner, matrix_name(warp, matrix, cell * (side + 1.5f) + gap));
        for (uint32_t row = 0; row < side; ++row) {
            const uint32_t offers = matrix * side + row;
            const float y = corner.y + room + cell * static_cast<float>(row);
            const draw::Box pointer{{corner.x, y}, {corner.x + cell * 1.2f, y + cell}};
            list->AddRect(pointer.min, {pointer.max.x - 1, pointer.max.y - 1},
                          offers == warp.lane ? warp.accent : theme.border, 0, 0,
                          offers == warp.lane ? theme.px(2) : 1);
            draw::text_in(list, theme.mono, pointer, theme.ink, std::to_string(offers));
            if (offers == warp.lane)
                mark(warp.marks, "row of the lane", pointer.min, pointer.max);
            for (uint32_t col = 0; col < side; col += wide) {
                const float x = corner.x + cell * (1.5f + static_cast<float>(col));
                const draw::Box place{{x, y}, {x + cell * static_cast<float>(wide), y + cell}};
                if (picture.transposed == recording::Transposed::unknown) {
                    list->AddRect(place.min, {place.max.x - 1, place.max.y - 1}, theme.border);
                    continue;
                }
                const Holder holder = ldmatrix_holder({row, col}, picture.transposed == recording::Transposed::yes);
                const auto element =
                    picture.elements.at(uint64_t{warp.access.offset[offers]} + uint64_t{col} * sizeof(uint16_t));
                const std::string value = element ? picture.value(*element) : "";
                draw_lane_cell(warp, place, holder.lane, value);
                if (holder.lane == warp.lane && holder.index == 0) {
                    mark(warp.marks, fmt::format("element of matrix {}", matrix), place.min, place.max);
                    if (!value.empty())
                        mark(warp.marks, fmt::format("value of matrix {}: {}", matrix, value), place.min, place.max);
                }
                if (!hovered || !place.holds(ImGui::GetMousePos()))
                    continue;
                under = holder.lane;
                frame.point_out({"registers.ldmatrix_hint",
                                 {{"element", element ? element_name(picture.tile.name, {*element}) : "This element"},
                                  {"pointer", index(offers)},
                                  {"lane", index(holder.lane)}}});
            }
        }
    }
    return clicked(under);
}

std::optional<uint32_t> draw_mma(const WarpPicture& picture, MmaShape shape, bool only_sums, const draw::Box& box,
                                 const ViewFrame& frame)
{
    const Theme& theme = picture.theme;
    const float room = warp_label_room(theme), gap = theme.px(26);
    struct Part {
        MmaPart part;
        const char* name;
    };
    std::vector<Part> parts = {{MmaPart::a, "A"}, {MmaPart::b, "B"}, {MmaPart::sums, "sums"}};
    if (only_sums)
        parts.erase(parts.begin(), parts.begin() + 2);
    float across = 0;
    uint32_t down = mma_rows;
    for (const Part& part : parts) {
        across += static_cast<float>(extent_of(shape, part.part).col);
        down = std::max(down, extent_of(shape, part.part).row);
    }
    const auto gaps = static_cast<float>(parts.size() - 1);
    const float cell =
        std::floor(std::min({(box.width() - gap * gaps) / across, (box.height() - room) / static_cast<float>(down)}));
    ImGui::SetCursorScreenPos(box.min);
    ImGui::InvisibleButton("mma", {cell * across + gap * gaps, room + cell * static_cast<float>(down)});
    const bool hovered = ImGui::IsItemHovered();
    std::optional<uint32_t> under;
    float x = box.min.x;
    for (const Part& part : parts) {
        const Cell extent = extent_of(shape, part.part);
        label(picture, {x, box.min.y}, fmt::format("{} {} x {}", part.name, extent.row, extent.col));
        for (uint32_t row = 0; row < extent.row; ++row)
            for (uint32_t col = 0; col < extent.col; ++col) {
                const ImVec2 at{x + cell * static_cast<float>(col), box.min.y + room + cell * static_cast<float>(row)};
                const draw::Box place{at, {at.x + cell, at.y + cell}};
                const Holder holder = mma_holder(shape, part.part, {row, col});
                draw_lane_cell(picture, place, holder.lane);
                if (holder.lane == picture.lane && holder.index == 0)
                    mark(picture.marks, fmt::format("{} of lane {}", part.name, holder.lane), place.min, place.max);
                if (!hovered || !place.holds(ImGui::GetMousePos()))
                    continue;
                under = holder.lane;
                frame.point_out({"registers.mma_hint",
                                 {{"matrix", part.name},
                                  {"row", index(row)},
                                  {"col", index(col)},
                                  {"lane", index(holder.lane)},
                                  {"number", index(holder.index)},
                                  {"count", held_by_lane(shape, part.part, holder.lane).size()}}});
            }
        x += cell * static_cast<float>(extent.col) + gap;
    }
    return clicked(under);
}

draw::Box draw_wmma(const WarpPicture& picture, MmaShape shape, const WmmaValue& value, const draw::Box& box,
                    const ViewFrame& frame)
{
    const Theme& theme = picture.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    constexpr uint32_t side = 16;
    struct Part {
        const char* name;
        uint32_t rows, cols;
        Colour colour;
    };
    const Part parts[] = {{"A", side, shape.depth, fragment_colour(theme, true)},
                          {"B", shape.depth, side, fragment_colour(theme, false)},
                          {"sums", side, side, picture.accent}};
    // A at the left of the sums, B above them: an element of the sums stands where its row and its column meet.
    const float room = warp_label_room(theme), gap = theme.px(14), all = static_cast<float>(side + shape.depth);
    const float width = (box.width() - gap) / all, height = (box.height() - 2 * room) / all;
    const float left = box.min.x + width * static_cast<float>(shape.depth) + gap,
                below = box.min.y + height * static_cast<float>(shape.depth) + 2 * room;
    const ImVec2 corners[] = {{box.min.x, below}, {left, box.min.y + room}, {left, below}};
    for (const Part& part : parts) {
        const uint32_t each = part.rows * part.cols / lanes;
        const ImVec2 corner = corners[&part - parts];
        label(picture, {corner.x, corner.y - room}, fmt::format("{} {} x {}", part.name, part.rows, part.cols));
        const draw::Box place{
            corner,
            {corner.x + width * static_cast<float>(part.cols), corner.y + height * static_cast<float>(part.rows)}};
        const bool roomy = draw::measure(theme.mono, "-0.00").x <= width - 1; // all with as many decimals
        for (uint32_t row = 0; row < part.rows; ++row)
            for (uint32_t col = 0; col < part.cols; ++col) {
                const ImVec2 at{corner.x + width * static_cast<float>(col),
                                corner.y + height * static_cast<float>(row)};
                const draw::Box element{at, {at.x + width - 1, at.y + height - 1}};
                const auto known = value(&part - parts, {row, col});
                const Colour face = mix(theme.panel, part.colour, known ? 0.55f : 0.3f);
                list->AddRectFilled(element.min, element.max, face);
                if (known)
                    draw::text_in(list, theme.mono, element, ink_on(face), roomy ? known->first : known->second);
                if (known && row == 0 && col == 0)
                    mark(picture.marks, fmt::format("fragment {} value {}", part.name, known->first), element.min,
                         element.max);
            }
        mark(picture.marks, std::string("fragment ") + part.name, place.min, place.max);
        if (ImGui::IsWindowHovered() && place.holds(ImGui::GetMousePos()))
            frame.point_out({"registers.wmma_hint",
                             {{"matrix", part.name}, {"rows", part.rows}, {"cols", part.cols}, {"each", each}}});
    }
    return {box.min, {left - gap, below - room - gap}};
}

} // namespace viz
