#include "viz/views/08_placement/block_map.h"

#include "viz/text/templates.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace viz {

namespace {

draw::Box box_of(const BlockMap& map, const draw::Box& area, uint32_t block)
{
    const BlockGrid& grid = map.grid;
    const Cell place = grid.place(block);
    const uint32_t part = block / (grid.grid.x * grid.grid.y);
    const float width = area.width() / static_cast<float>(grid.cols);
    const float height = area.height() / static_cast<float>(grid.rows * grid.parts);
    const ImVec2 low{area.min.x + width * static_cast<float>(place.col),
                     area.min.y + height * static_cast<float>(place.row * grid.parts + part)};
    return {low, {low.x + width, low.y + height}};
}

Colour state_colour(const BlockMap& map, BlockState state)
{
    switch (state) {
    case BlockState::running: return map.accent;
    case BlockState::done: return mix(map.theme.panel, map.accent, 0.4f);
    case BlockState::waiting: break;
    }
    return map.theme.panel;
}

Colour colour_of(const BlockMap& map, const PlacedBlock& block)
{
    return map.ns ? state_colour(map, state_at(block, *map.ns)) : category_colour(map.theme, block.sm);
}

void show(const BlockMap& map, const draw::Box& area, BlockMapPixels& pixels)
{
    pixels.show(map.theme, area, map.theme.background, {&map.placed, map.ns, map.accent}, [&](const auto& fill) {
        for (const PlacedBlock& block : map.placed.blocks) {
            const draw::Box box = box_of(map, area, block.block);
            const float gap = box.width() >= 4 && box.height() >= 4 ? 1.0f : 0.0f;
            fill({box.min, {box.max.x - gap, box.max.y - gap}}, colour_of(map, block));
        }
    });
}

// The number of the SM in each block, where it has room.
void draw_sm_numbers(const BlockMap& map, const draw::Box& area)
{
    if (box_of(map, area, 0).height() < draw::line_height(map.theme.mono))
        return;
    for (const PlacedBlock& block : map.placed.blocks)
        draw::text_in(ImGui::GetWindowDrawList(), map.theme.mono, box_of(map, area, block.block),
                      ink_on(colour_of(map, block)), std::to_string(block.sm));
}

// A line through the blocks by their numbers, as the hardware begins them: which neighbours in C run at one time. False: no room.
bool draw_order(const BlockMap& map, const draw::Box& area)
{
    constexpr float least = 7; // pixels of a block
    const draw::Box first = box_of(map, area, 0);
    if (first.width() < map.theme.px(least) || first.height() < map.theme.px(least) || map.placed.blocks.size() < 2)
        return false;
    std::vector<uint32_t> order;
    for (const PlacedBlock& block : map.placed.blocks)
        order.push_back(block.block);
    std::ranges::sort(order);
    const auto place = [&](uint32_t block) { // beside the middle, where the state's colour stays in sight
        const draw::Box box = box_of(map, area, block);
        return ImVec2{box.min.x + box.width() * 0.35f, box.min.y + box.height() * 0.7f};
    };
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (std::size_t i = 1; i < order.size(); ++i) {
        const ImVec2 from = place(order[i - 1]), to = place(order[i]);
        const bool neighbours =
            std::abs(to.x - from.x) < 1.5f * first.width() && std::abs(to.y - from.y) < 1.5f * first.height();
        list->AddLine(from, to, draw::with_alpha(map.theme.ink, neighbours ? 0.5f : 0.12f), map.theme.px(1));
    }
    list->AddCircleFilled(place(order.front()), map.theme.px(4), map.theme.ink);
    mark(map.marks, "order of blocks", place(order.front()), place(order.back()));
    return true;
}

// Blocks along z compute parts of the same tile: they stand below each other, and a line parts one tile from the next.
void draw_slices(const BlockMap& map, const draw::Box& area)
{
    if (map.grid.parts < 2)
        return;
    const Theme& theme = map.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float height = area.height() / static_cast<float>(map.grid.rows);
    for (uint32_t row = 1; row < map.grid.rows; ++row) {
        const float y = std::round(area.min.y + height * static_cast<float>(row));
        list->AddRectFilled({area.min.x, y - theme.px(2)}, {area.max.x, y}, theme.ink_quiet);
        mark(map.marks, "between tiles", {area.min.x, y - theme.px(2)}, {area.max.x, y});
    }
    if (!map.ns) // the SMs' numbers stand there
        return;
    for (const PlacedBlock& block : map.placed.blocks) {
        draw::Box box = box_of(map, area, block.block);
        const uint32_t slice = block.block / (map.grid.grid.x * map.grid.grid.y);
        const std::string name = "z " + std::to_string(slice);
        box.max.x = std::min(box.max.x, box.min.x + draw::measure(theme.mono, name).x + theme.px(8));
        draw::text_in(list, theme.mono, box, ink_on(colour_of(map, block)), name);
    }
}

// What the line through the blocks is, at the right where there is room.
void name_order(const BlockMap& map, const draw::Box& box)
{
    const Theme& theme = map.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::string words = plain(Message{"placement.order"});
    const ImVec2 size = draw::measure(theme.text, words);
    const float text = box.max.x - size.x, end = text - theme.px(6), begin = end - theme.px(16);
    const float middle = box.min.y + size.y / 2;
    if (begin - theme.px(16) < box.min.x)
        return;
    list->AddCircleFilled({begin, middle}, theme.px(4), theme.ink);
    list->AddLine({begin, middle}, {end, middle}, draw::with_alpha(theme.ink, 0.5f), theme.px(1));
    draw::text(list, theme.text, {text, box.min.y}, theme.ink_quiet, words);
    mark(map.marks, "name of order", {begin, box.min.y}, {box.max.x, box.min.y + size.y});
}

// How many are in each state, with the state's colour; or what the colours are.
void draw_counts(const BlockMap& map, const draw::Box& box)
{
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (!map.ns)
        return draw::text(
            list, map.theme.text, box.min, map.theme.ink_quiet,
            plain(Message{"placement.block_sms", {{"used", map.placed.sms_used}, {"sms", map.placed.sms}}}));
    std::array<std::size_t, 3> counts{};
    for (const PlacedBlock& block : map.placed.blocks)
        ++counts[static_cast<std::size_t>(state_at(block, *map.ns))];
    const float side = map.theme.px(10);
    float x = box.min.x;
    for (const BlockState state : {BlockState::done, BlockState::running, BlockState::waiting}) {
        const Value blocks = counts[static_cast<std::size_t>(state)];
        const std::string words =
            plain(state == BlockState::waiting   ? Message{"placement.waiting", {{"blocks", blocks}}}
                  : state == BlockState::running ? Message{"placement.running", {{"blocks", blocks}}}
                                                 : Message{"placement.done", {{"blocks", blocks}}});
        if (x + side + map.theme.px(4) + draw::measure(map.theme.text, words).x > box.max.x)
            return;
        const float top = box.min.y + map.theme.px(4);
        list->AddRectFilled({x, top}, {x + side, top + side}, state_colour(map, state));
        list->AddRect({x, top}, {x + side, top + side}, map.theme.border);
        draw::text(list, map.theme.text, {x + side + map.theme.px(4), box.min.y}, map.theme.ink_quiet, words);
        x += side + map.theme.px(14) + draw::measure(map.theme.text, words).x;
    }
}

const PlacedBlock* block_under(const BlockMap& map, const draw::Box& area, ImVec2 mouse)
{
    const auto part_of = [](float at, float from, float length, uint32_t count) {
        return std::min(static_cast<uint32_t>((at - from) / length * static_cast<float>(count)), count - 1);
    };
    const uint32_t row = part_of(mouse.y, area.min.y, area.height(), map.grid.rows * map.grid.parts);
    const uint32_t col = part_of(mouse.x, area.min.x, area.width(), map.grid.cols);
    const auto block = map.grid.block_at({row / map.grid.parts, col}, row % map.grid.parts);
    if (!block)
        return nullptr;
    const auto found = std::ranges::find(map.placed.blocks, *block, &PlacedBlock::block);
    return found == map.placed.blocks.end() ? nullptr : &*found;
}

} // namespace

const PlacedBlock* draw_block_map(const BlockMap& map, BlockMapPixels& pixels, const draw::Box& box)
{
    const Theme& theme = map.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float line = draw::row_height(theme, 2);
    const recording::Index3& grid = map.grid.grid;
    const Value c = map.grid.as_in_c, across = grid.x, down = grid.y;
    const bool sliced = map.grid.parts > 1;
    Messages slices;
    if (sliced)
        slices.push_back({"placement.slices_of_k", {{"parts", map.grid.parts}}});
    std::string words =
        plain({"placement.map_short", {{"c", c}, {"across", across}, {"down", down}, {"slices", slices}}});
    if (map.ns) {
        const Value time = nanoseconds(*map.ns);
        const std::string whole = plain(
            sliced ? Message{"placement.map_sliced",
                             {{"c", c}, {"across", across}, {"down", down}, {"parts", map.grid.parts}, {"time", time}}}
                   : Message{"placement.map", {{"c", c}, {"across", across}, {"down", down}, {"time", time}}});
        if (draw::measure(theme.text, whole).x <= box.width()) // else the line of the time tells it alone
            words = whole;
    }
    draw::text(list, theme.text, box.min, theme.ink, words);
    const draw::Box area = rounded_box({{box.min.x, box.min.y + line}, {box.max.x, box.max.y - line}});
    if (area.width() < 2 || area.height() < 2)
        return nullptr;
    show(map, area, pixels);
    if (map.ns && draw_order(map, area))
        name_order(map, {{box.min.x + draw::measure(theme.text, words).x, box.min.y}, box.max});
    draw_slices(map, area);
    if (!map.ns)
        draw_sm_numbers(map, area);
    if (map.selected) {
        const draw::Box chosen = box_of(map, area, *map.selected);
        list->AddRect({chosen.min.x - 1, chosen.min.y - 1}, chosen.max, theme.ink, 0, 0, theme.px(2));
    }
    draw_counts(map, {{box.min.x, area.max.y + theme.px(2)}, box.max});
    mark(map.marks, "blocks", area);
    return draw::item("blocks", area) ? block_under(map, area, ImGui::GetMousePos()) : nullptr;
}

} // namespace viz
