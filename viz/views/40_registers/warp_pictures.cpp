#include "viz/views/40_registers/warp_pictures.h"

#include "viz/draw/matrix_picture.h"
#include "viz/text/templates.h"
#include "viz/views/40_registers/fragment_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace viz {

namespace {

constexpr uint32_t lanes = recording::warp_size;

// A cell with the number of a lane in it, and below it the value that it holds, where that is known and has room.
void draw_lane_cell(const StagePart& part, const draw::Box& box, uint32_t lane, Colour face,
                    const std::string& value = "")
{
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(box.min, {box.max.x - 1, box.max.y - 1}, face);
    const float line = draw::line_height(part.theme().mono), middle = box.middle().y;
    if (!value.empty() && box.height() >= 2 * line) {
        draw::text_in(list, part.theme().mono, {{box.min.x, middle - line}, {box.max.x, middle}},
                      draw::with_alpha(ink_on(face), 0.7f), std::to_string(lane));
        draw::text_in(list, part.theme().mono_bold, {{box.min.x, middle}, {box.max.x, middle + line}}, ink_on(face),
                      value);
    } else {
        draw::text_in(list, part.theme().mono, box, ink_on(face), std::to_string(lane));
    }
    if (lane == part.lane())
        list->AddRect({box.min.x - 1, box.min.y - 1}, box.max, part.theme().ink, 0, 0, part.theme().px(2.5f));
}

// The border of a cell of that size.
void draw_border(const draw::Box& box, Colour colour, float thick = 1)
{
    ImGui::GetWindowDrawList()->AddRect(box.min, {box.max.x - 1, box.max.y - 1}, colour, 0, 0, thick);
}

std::optional<uint32_t> clicked(std::optional<uint32_t> lane)
{
    return ImGui::IsItemClicked() ? lane : std::nullopt;
}

void label(const StagePart& part, ImVec2 at, const std::string& words)
{
    draw::text(ImGui::GetWindowDrawList(), part.theme().mono_bold, at, part.theme().ink, words);
}

float warp_label_room(const Theme& theme)
{
    return draw::row_height(theme, 4, theme.mono_bold);
}

// As much of it as fits beside the next one.
std::string matrix_name(const StagePart& part, uint32_t matrix, float room)
{
    const std::string names[] = {plain({"registers.matrix", {{"matrix", index(matrix)}}}),
                                 plain({"registers.matrix_short", {{"matrix", index(matrix)}}}),
                                 plain({"registers.matrix_shortest", {{"matrix", index(matrix)}}})};
    return draw::first_fitting(part.theme().mono_bold, room, names);
}

} // namespace

std::optional<uint32_t> draw_shuffle(const StagePart& part, const recording::Access& access, const draw::Box& box)
{
    const Theme& theme = part.theme();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float room = warp_label_room(theme), cell = std::floor(box.width() / lanes);
    const float high = draw::row_height(theme, 6, theme.mono);
    const float top = box.min.y + room, bottom = std::max(box.max.y - high - room, top + high + theme.px(40));
    const auto box_of = [&](uint32_t lane, float y) {
        const float x = box.min.x + cell * static_cast<float>(lane);
        return draw::Box{{x, y}, {x + cell, y + high}};
    };
    label(part, box.min, plain({"registers.shuffle_from"}));
    label(part, {box.min.x, bottom + high + theme.px(3)}, plain({"registers.shuffle_to"}));
    for (const bool selected : {false, true})
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            if (!takes_part(access, lane) || access.offset[lane] >= lanes || selected != (lane == part.lane()))
                continue;
            const uint32_t from = access.offset[lane];
            const draw::Box source = box_of(from, top), target = box_of(lane, bottom);
            list->AddLine({source.middle().x, source.max.y}, {target.middle().x, target.min.y},
                          selected ? theme.ink : lane_colour(theme, from), theme.px(selected ? 3.0f : 1.5f));
        }
    for (uint32_t lane = 0; lane < lanes; ++lane) {
        const draw::Box source = box_of(lane, top), target = box_of(lane, bottom);
        bool asked = false;
        for (uint32_t other = 0; other < lanes; ++other)
            asked = asked || (takes_part(access, other) && access.offset[other] == lane);
        if (asked)
            draw_lane_cell(part, source, lane, lane_colour(theme, lane));
        else {
            draw_border(source, theme.border);
            draw::text_in(list, theme.mono, source, theme.ink_faint, std::to_string(lane));
        }
        mark(part.marks(), fmt::format("from {}", lane), source);
        if (!takes_part(access, lane) || access.offset[lane] >= lanes)
            continue;
        // In the colour of the lane that the value comes from.
        draw_lane_cell(part, target, lane, lane_colour(theme, access.offset[lane]));
        mark(part.marks(), fmt::format("to {}", lane), target);
    }
    const bool hovered = draw::item("shuffle", {{box.min.x, top}, {box.min.x + cell * lanes, bottom + high}});
    std::optional<uint32_t> under;
    for (uint32_t lane = 0; hovered && lane < lanes; ++lane)
        if (box_of(lane, top).holds(ImGui::GetMousePos()) || box_of(lane, bottom).holds(ImGui::GetMousePos()))
            under = lane;
    if (under && takes_part(access, *under))
        part.frame.point_out(
            {"registers.shuffle_hint", {{"lane", index(*under)}, {"from", index(access.offset[*under])}}});
    return clicked(under);
}

std::optional<uint32_t> draw_matrix_load(const StagePart& part, const MatrixLoadPicture& picture, const draw::Box& box)
{
    const Theme& theme = part.theme();
    const recording::Transposed transposed = picture.access.transposed;
    ImDrawList* list = ImGui::GetWindowDrawList();
    constexpr uint32_t matrices = 4, side = 8;
    const float room = warp_label_room(theme), gap = theme.px(22);
    const float cell =
        std::floor(std::min({(box.width() - gap) / (2 * (side + 1.5f)), (box.height() - 2 * room - gap) / (2 * side)}));
    const uint32_t wide = picture.tile.element_bytes / 2; // places of an element
    const ImVec2 end{box.min.x + 2 * cell * (side + 1.5f) + gap, box.min.y + 2 * (cell * side + room) + gap};
    const bool hovered = draw::item("ldmatrix", {box.min, end});
    std::optional<uint32_t> under;
    for (uint32_t matrix = 0; matrix < matrices; ++matrix) {
        const ImVec2 corner{box.min.x + static_cast<float>(matrix / 2) * (cell * (side + 1.5f) + gap),
                            box.min.y + static_cast<float>(matrix % 2) * (cell * side + room + gap * 0.5f)};
        label(part, corner, matrix_name(part, matrix, cell * (side + 1.5f) + gap));
        for (uint32_t row = 0; row < side; ++row) {
            const uint32_t offers = matrix * side + row;
            const float y = corner.y + room + cell * static_cast<float>(row);
            const draw::Box pointer{{corner.x, y}, {corner.x + cell * 1.2f, y + cell}};
            const bool own = offers == part.lane();
            draw_border(pointer, own ? part.accent() : theme.border, own ? theme.px(2) : 1);
            draw::text_in(list, theme.mono, pointer, theme.ink, std::to_string(offers));
            if (own)
                mark(part.marks(), "row of the lane", pointer);
            for (uint32_t col = 0; col < side; col += wide) {
                const float x = corner.x + cell * (1.5f + static_cast<float>(col));
                const draw::Box place{{x, y}, {x + cell * static_cast<float>(wide), y + cell}};
                if (transposed == recording::Transposed::unknown) {
                    draw_border(place, theme.border);
                    continue;
                }
                const Holder holder = ldmatrix_holder({row, col}, transposed == recording::Transposed::yes);
                const auto element =
                    picture.elements.at(uint64_t{picture.access.offset[offers]} + uint64_t{col} * sizeof(uint16_t));
                const std::string value = element ? picture.value(*element) : "";
                draw_lane_cell(part, place, holder.lane, lane_colour(theme, holder.lane), value);
                if (holder.lane == part.lane() && holder.index == 0) {
                    mark(part.marks(), fmt::format("element of matrix {}", matrix), place);
                    if (!value.empty())
                        mark(part.marks(), fmt::format("value of matrix {}: {}", matrix, value), place);
                }
                if (!hovered || !place.holds(ImGui::GetMousePos()))
                    continue;
                under = holder.lane;
                part.frame.point_out(
                    {"registers.ldmatrix_hint",
                     {{"element", element ? element_name(picture.tile.name, {*element}) : "This element"},
                      {"pointer", index(offers)},
                      {"lane", index(holder.lane)}}});
            }
        }
    }
    return clicked(under);
}

std::optional<uint32_t> draw_mma(const StagePart& part, MmaShape shape, bool only_sums, const draw::Box& box)
{
    const Theme& theme = part.theme();
    const float room = warp_label_room(theme), gap = theme.px(26);
    struct Matrix {
        MmaPart part;
        const char* name;
    };
    constexpr Matrix all[] = {{MmaPart::a, "A"}, {MmaPart::b, "B"}, {MmaPart::sums, "sums"}};
    const std::span parts = std::span(all).subspan(only_sums ? 2 : 0);
    float across = 0;
    uint32_t down = mma_rows;
    for (const Matrix& matrix : parts) {
        across += static_cast<float>(extent_of(shape, matrix.part).col);
        down = std::max(down, extent_of(shape, matrix.part).row);
    }
    const auto gaps = static_cast<float>(parts.size() - 1);
    const float cell =
        std::floor(std::min({(box.width() - gap * gaps) / across, (box.height() - room) / static_cast<float>(down)}));
    const ImVec2 end{box.min.x + cell * across + gap * gaps, box.min.y + room + cell * static_cast<float>(down)};
    const bool hovered = draw::item("mma", {box.min, end});
    std::optional<uint32_t> under;
    float x = box.min.x;
    for (const Matrix& matrix : parts) {
        const Cell extent = extent_of(shape, matrix.part);
        label(part, {x, box.min.y}, fmt::format("{} {} x {}", matrix.name, extent.row, extent.col));
        const MatrixFrame grid{{x, box.min.y + room}, cell, {}};
        for (uint32_t row = 0; row < extent.row; ++row)
            for (uint32_t col = 0; col < extent.col; ++col) {
                const draw::Box place = grid.box_of({row, col, 1, 1});
                const Holder holder = mma_holder(shape, matrix.part, {row, col});
                draw_lane_cell(part, place, holder.lane, lane_colour(theme, holder.lane));
                if (holder.lane == part.lane() && holder.index == 0)
                    mark(part.marks(), fmt::format("{} of lane {}", matrix.name, holder.lane), place);
                if (!hovered || !place.holds(ImGui::GetMousePos()))
                    continue;
                under = holder.lane;
                part.frame.point_out({"registers.mma_hint",
                                      {{"matrix", matrix.name},
                                       {"row", index(row)},
                                       {"col", index(col)},
                                       {"lane", index(holder.lane)},
                                       {"number", index(holder.index)},
                                       {"count", held_by_lane(shape, matrix.part, holder.lane).size()}}});
            }
        x += cell * static_cast<float>(extent.col) + gap;
    }
    return clicked(under);
}

draw::Box draw_wmma(const StagePart& part, MmaShape shape, const WmmaValue& value, const draw::Box& box)
{
    const Theme& theme = part.theme();
    ImDrawList* list = ImGui::GetWindowDrawList();
    constexpr uint32_t side = 16;
    struct Matrix {
        const char* name;
        uint32_t rows, cols;
        Colour colour;
    };
    const Matrix parts[] = {{"A", side, shape.depth, fragment_colour(theme, true)},
                            {"B", shape.depth, side, fragment_colour(theme, false)},
                            {"sums", side, side, part.accent()}};
    // A at the left of the sums, B above them: an element of the sums stands where its row and its column meet.
    const float room = warp_label_room(theme), gap = theme.px(14), all = static_cast<float>(side + shape.depth);
    const float width = (box.width() - gap) / all, height = (box.height() - 2 * room) / all;
    const float left = box.min.x + width * static_cast<float>(shape.depth) + gap,
                below = box.min.y + height * static_cast<float>(shape.depth) + 2 * room;
    const ImVec2 corners[] = {{box.min.x, below}, {left, box.min.y + room}, {left, below}};
    for (const Matrix& matrix : parts) {
        const uint32_t each = matrix.rows * matrix.cols / lanes;
        const ImVec2 corner = corners[&matrix - parts];
        label(part, {corner.x, corner.y - room}, fmt::format("{} {} x {}", matrix.name, matrix.rows, matrix.cols));
        const draw::Box place{
            corner,
            {corner.x + width * static_cast<float>(matrix.cols), corner.y + height * static_cast<float>(matrix.rows)}};
        const bool roomy = draw::measure(theme.mono, "-0.00").x <= width - 1; // all with as many decimals
        for (uint32_t row = 0; row < matrix.rows; ++row)
            for (uint32_t col = 0; col < matrix.cols; ++col) {
                const ImVec2 at{corner.x + width * static_cast<float>(col),
                                corner.y + height * static_cast<float>(row)};
                const draw::Box element{at, {at.x + width - 1, at.y + height - 1}};
                const auto known = value(&matrix - parts, {row, col});
                const Colour face = mix(theme.panel, matrix.colour, known ? 0.55f : 0.3f);
                list->AddRectFilled(element.min, element.max, face);
                if (known)
                    draw::text_in(list, theme.mono, element, ink_on(face), roomy ? known->first : known->second);
                if (known && row == 0 && col == 0)
                    mark(part.marks(), fmt::format("fragment {} value {}", matrix.name, known->first), element);
            }
        mark(part.marks(), std::string("fragment ") + matrix.name, place);
        if (draw::pointed_at(place))
            part.frame.point_out(
                {"registers.wmma_hint",
                 {{"matrix", matrix.name}, {"rows", matrix.rows}, {"cols", matrix.cols}, {"each", each}}});
    }
    return {box.min, {left - gap, below - room - gap}};
}

} // namespace viz
