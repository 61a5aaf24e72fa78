#include "viz/views/08_placement/work_picture.h"

#include "viz/draw/plot.h"
#include "viz/draw/prose.h"
#include "viz/origin.h"
#include "viz/text/templates.h"
#include "viz/views/08_placement/placement_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

namespace viz {

namespace {

Colour colour_of(const Theme& theme, const TileWork& work, const WorkPart& part)
{
    return work_colour(theme, part, part.count == work.k_tiles);
}

bool item(const char* name, const draw::Box& area, Marks* marks)
{
    mark(marks, name, area);
    return draw::item(name, area);
}

constexpr float least_framed = 5; // pixels at scale 1: else the frame is all that is seen of it

void frame_selected(const WorkPicture& picture, const WorkPart& part, const draw::Box& box)
{
    const float least = picture.theme.px(least_framed);
    if (picture.selected == part.block && box.width() >= least && box.height() >= least)
        ImGui::GetWindowDrawList()->AddRect(box.min, box.max, picture.theme.ink, 0, 0, picture.theme.px(2));
}

// A part's number; where it stands, with its sign of how it is known.
void draw_number(const WorkPicture& picture, const WorkPart& part, const draw::Box& box, bool sign)
{
    const Theme& theme = picture.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Colour ink = ink_on(colour_of(theme, picture.facts.launched().work, part));
    const std::string number = std::to_string(part.block);
    if (!draw::text_in(list, theme.mono, box, ink, number) || !sign)
        return;
    const float radius = theme.px(3), right = draw::measure(theme.mono, number).x / 2 + theme.px(5) + radius;
    if (box.width() >= 2 * (right + radius))
        draw_origin(*list, part.recorded ? NumberOrigin::recorded : NumberOrigin::derived,
                    {box.middle().x + right, box.middle().y}, radius, ink);
}

// What the signs beside the numbers mean, at the right where there is room.
void name_signs(const WorkPicture& picture, const draw::Box& room)
{
    Prose signs(picture.theme);
    signs.origin(NumberOrigin::recorded).write({"placement.work_sign_recorded"});
    signs.origin(NumberOrigin::derived).write({"placement.work_sign_derived"});
    const float left = room.max.x - signs.width();
    if (left >= room.min.x + picture.theme.px(12))
        signs.draw(ImGui::GetWindowDrawList(), {left, room.min.y}, signs.width() + 1);
}

// No number has room in less.
bool has_room_for_digit(const Theme& theme, float width, float height)
{
    return height >= theme.px(11) && width >= draw::measure(theme.mono, "0").x;
}

// C with its tiles, in an area of its own proportions as far as the cells of a narrow one have room then.
struct Map {
    const TileWork& work;
    draw::Box area;

    Map(const TileWork& of, const draw::Box& box) : work(of)
    {
        const auto rows = static_cast<float>(work.rows * work.BM), cols = static_cast<float>(work.cols * work.BN);
        const float scale = std::min(box.width() / cols, box.height() / rows);
        area = rounded_box({box.min,
                            {box.min.x + std::max(cols * scale, box.width() * 0.4f),
                             box.min.y + std::max(rows * scale, box.height() * 0.4f)}});
    }
    // Of a part, k from left to right.
    draw::Box of_part(const WorkPart& part) const
    {
        const Cell place = work.places[part.tile];
        const float width = area.width() / static_cast<float>(work.cols);
        const float height = area.height() / static_cast<float>(work.rows);
        const auto at = [&](uint32_t k) {
            return area.min.x +
                   width * (static_cast<float>(place.col) + static_cast<float>(k) / static_cast<float>(work.k_tiles));
        };
        const float top = area.min.y + height * static_cast<float>(place.row);
        const float gap_x = width >= 4 && part.first + part.count == work.k_tiles ? 1.0f : 0.0f;
        return {{at(part.first), top},
                {at(part.first + part.count) - gap_x, top + height - (height >= 4 ? 1.0f : 0.0f)}};
    }
    std::optional<uint32_t> tile_at(ImVec2 point) const
    {
        const auto cell_at = [](float at, float length, uint32_t cells) {
            return static_cast<uint32_t>(std::max(0.0f, at / length * static_cast<float>(cells)));
        };
        return work.tile_at({cell_at(point.y - area.min.y, area.height(), work.rows),
                             cell_at(point.x - area.min.x, area.width(), work.cols)});
    }
};

struct Columns : TileColumns {
    const WorkCase& shown;
    draw::Box area; // of the columns themselves

    std::size_t size() const { return before + shown.by_tile.cut.size(); }
    uint32_t tile(std::size_t column) const // of those in sight
    {
        const std::size_t at = from + column;
        return at < before ? first + static_cast<uint32_t>(at) : shown.by_tile.cut[at - before];
    }
    std::optional<std::size_t> place_of(uint32_t tile) const // among all
    {
        if (tile >= first && tile - first < before)
            return tile - first;
        const auto& cut = shown.by_tile.cut;
        const auto found = std::ranges::lower_bound(cut, tile);
        return found == cut.end() || *found != tile
                   ? std::nullopt
                   : std::optional(before + static_cast<std::size_t>(found - cut.begin()));
    }
    float left(std::size_t column) const
    {
        return area.min.x + area.width() * static_cast<float>(column) / static_cast<float>(count);
    }
    draw::Box of_part(std::size_t column, const WorkPart& part) const
    {
        const auto at = [&](uint32_t k) {
            return area.min.y + area.height() * static_cast<float>(std::min(k, depth)) / static_cast<float>(depth);
        };
        return {{left(column), at(part.first)}, {left(column + 1) - 2, at(part.first + part.count)}};
    }
    template <class Function>
    void for_each(const Function& function) const // (column, index of part)
    {
        const PartsOfTiles& by_tile = shown.by_tile;
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t at = by_tile.first[tile(i)]; at < by_tile.first[tile(i) + 1]; ++at) {
                if (shown.work.parts[by_tile.parts[at]].first >= depth)
                    break; // they are in the order of k
                function(i, by_tile.parts[at]);
            }
    }
};

// The tiles that are taken last: those that are cut and, where there is room, whole ones of the wave before. Around the selected
// block's where not all of them fit.
Columns columns_of(const WorkPicture& picture, const draw::Box& area)
{
    const WorkCase& shown = picture.facts.launched();
    const std::vector<uint32_t>& cut = shown.by_tile.cut;
    Columns columns{{}, shown, rounded_box(area)};
    const auto fitting = static_cast<uint32_t>(std::max(1.0f, area.width() / picture.theme.px(18)));
    const auto at_ease = static_cast<uint32_t>(std::max(1.0f, area.width() / picture.theme.px(40)));
    const uint32_t tiles = shown.work.tiles(), places = picture.facts.places;
    const uint32_t until = cut.empty() ? tiles : cut.front();
    if (cut.empty())
        columns.before = (tiles - 1) % places + 1;
    if (const std::size_t known = columns.size(); known < at_ease)
        columns.before += std::min({static_cast<uint32_t>(at_ease - known), places, until - columns.before});
    columns.first = until - columns.before;
    const std::size_t all = columns.size();
    columns.count = std::min<std::size_t>(all, fitting);
    columns.from = cut.empty() ? 0 : all - columns.count;
    if (picture.selected)
        for (const std::size_t part : parts_of_block(shown.work, *picture.selected))
            if (const auto at = columns.place_of(shown.work.parts[part].tile)) {
                if (*at < columns.from || *at >= columns.from + columns.count)
                    columns.from = std::min(*at - std::min(*at, columns.count / 2), all - columns.count);
                break;
            }
    // Slices that take turns would blur where k-tiles are thinner.
    const auto thick = static_cast<uint32_t>(std::max(1.0f, area.height() / picture.theme.px(4)));
    columns.depth = shown.work.slices > 1 ? std::min(shown.work.k_tiles, thick) : shown.work.k_tiles;
    return columns;
}

void paint_columns(const Columns& columns, const Theme& theme, const auto& fill)
{
    const TileWork& work = columns.shown.work;
    const float thick = columns.area.height() / static_cast<float>(columns.depth);
    columns.for_each([&](std::size_t column, std::size_t index) {
        const WorkPart& part = work.parts[index];
        for (uint32_t k = part.first; k < std::min(part.first + part.count, columns.depth); ++k) {
            draw::Box cell = columns.of_part(column, {.block = part.block, .tile = part.tile, .first = k, .count = 1});
            cell.max.y -= thick >= 4 ? 1.0f : 0.0f;
            fill(cell, colour_of(theme, work, part));
        }
    });
}

// Above the columns, where in C each tile lies.
void label_tiles(const Columns& columns, const Theme& theme, float line)
{
    const float bottom = columns.area.min.y;
    for (std::size_t i = 0; i < columns.count; ++i) {
        const Cell place = columns.shown.work.places[columns.tile(i)];
        draw::text_in(ImGui::GetWindowDrawList(), theme.mono,
                      {{columns.left(i), bottom - line}, {columns.left(i + 1), bottom}}, theme.ink_quiet,
                      fmt::format("{},{}", place.row, place.col));
    }
}

// Left of the columns.
void label_k_tiles(const Columns& columns, const Theme& theme)
{
    const draw::Box& area = columns.area;
    const Scale scale({.least = 0, .most = static_cast<double>(columns.depth), .logarithmic = false, .title = {}},
                      area.min.y, area.max.y);
    float free_from = area.min.y;
    for (const double k : ticks_of(scale.axis(), 8)) {
        const float height = draw::line_height(theme.mono), y = std::min(scale.at(k), area.max.y - height);
        if (y < free_from)
            continue;
        draw::text_right(ImGui::GetWindowDrawList(), theme.mono, {area.min.x - theme.px(5), y}, theme.ink_quiet,
                         tick_text(scale.axis(), k));
        free_from = y + height;
    }
}

// With how much of it is shown, as far as there is room.
std::string name_of_columns(const Columns& columns, const Theme& theme, float room)
{
    Messages some, first;
    if (const std::size_t all = columns.size(); columns.count < all)
        some.push_back({"placement.work_some", {{"shown", columns.count}, {"all", all}}});
    if (const uint32_t all = columns.shown.work.k_tiles; columns.depth < all)
        first.push_back({"placement.work_first", {{"shown", columns.depth}, {"all", all}}});
    const Value cut = !columns.shown.by_tile.cut.empty();
    const auto named = [&] {
        return plain(Message{"placement.work_columns", {{"cut", cut}, {"some", some}, {"first", first}}});
    };
    for (Messages* const least : {&some, &first}) {
        if (draw::measure(theme.text, named()).x <= room)
            break;
        least->clear();
    }
    return named();
}

// One lane below another, k-tiles to the right.
struct LaneRows {
    const WorkChart& chart;
    draw::Box area;
    float row = 1;

    float x(double k) const { return area.min.x + area.width() * static_cast<float>(k / chart.most); }
    float top(std::size_t lane) const { return area.min.y + row * static_cast<float>(lane); }
    float bottom(std::size_t lane) const { return top(lane + 1) - (row >= 6 ? 1.0f : 0.0f); }
    draw::Box of_span(std::size_t lane, const WorkLanes::Span& span) const
    {
        const float left = x(static_cast<double>(span.from));
        const float right = x(static_cast<double>(span.from + chart.shown.work.parts[span.part].count));
        return {{left, top(lane)}, {right - (right - left >= 4 ? 1.0f : 0.0f), bottom(lane)}};
    }
};

void paint_lanes(const LaneRows& lanes, const auto& fill)
{
    const Theme& theme = lanes.chart.picture.theme;
    const TileWork& work = lanes.chart.shown.work;
    const WorkLanes& all = lanes.chart.shown.lanes;
    for (std::size_t lane = 0; lane < all.lanes.size(); ++lane) {
        if (const uint64_t end = all.end_of(lane, work); end < all.length)
            fill(draw::Box{{lanes.x(static_cast<double>(end)), lanes.top(lane)},
                           {lanes.x(static_cast<double>(all.length)), lanes.bottom(lane)}},
                 idle_colour(theme));
        for (const WorkLanes::Span& span : all.lanes[lane])
            fill(lanes.of_span(lane, span), colour_of(theme, work, work.parts[span.part]));
    }
}

std::string name_of_first_lane(bool on_sms)
{
    return plain(Message{"placement.work_lane", {{"sm", on_sms}, {"lane", index(0)}}});
}

// The same for both kinds of lanes, so that those of two stages begin at one place.
float room_for_names(const Theme& theme)
{
    return std::max(draw::measure(theme.mono, name_of_first_lane(true)).x,
                    draw::measure(theme.mono, name_of_first_lane(false)).x) +
           theme.px(8);
}

void label_lanes(const LaneRows& lanes, float left)
{
    const WorkPicture& picture = lanes.chart.picture;
    const Theme& theme = picture.theme;
    const float height = draw::measure(theme.mono, "0").y;
    float free_from = lanes.area.min.y - height;
    for (std::size_t lane = 0; lane < lanes.chart.shown.lanes.lanes.size(); ++lane) {
        const float y = std::max(lanes.area.min.y - theme.px(2), (lanes.top(lane) + lanes.bottom(lane) - height) / 2);
        if (y < free_from || y + height > lanes.area.max.y + theme.px(3))
            continue;
        const std::string name = lane > 0 ? std::to_string(lane) : name_of_first_lane(picture.facts.on_sms);
        draw::text_right(ImGui::GetWindowDrawList(), theme.mono, {std::max(left, lanes.area.min.x - theme.px(6)), y},
                         theme.ink_quiet, name);
        free_from = y + height;
    }
}

// The numbers of blocks, and frames of the selected one's parts.
void draw_spans(const LaneRows& lanes)
{
    const WorkPicture& picture = lanes.chart.picture;
    const Theme& theme = picture.theme;
    const WorkCase& shown = lanes.chart.shown;
    const bool launched = &shown == &picture.facts.launched();
    const float widest = lanes.x(shown.longest) - lanes.area.min.x;
    const bool numbered = has_room_for_digit(theme, widest, lanes.row);
    if (!numbered && (!launched || !picture.selected || std::min(widest, lanes.row) < theme.px(least_framed)))
        return;
    for (std::size_t lane = 0; lane < shown.lanes.lanes.size(); ++lane)
        for (const WorkLanes::Span& span : shown.lanes.lanes[lane]) {
            const WorkPart& part = shown.work.parts[span.part];
            const draw::Box cell = lanes.of_span(lane, span);
            if (numbered)
                draw_number(picture, part, cell, false);
            if (launched)
                frame_selected(picture, part, cell);
        }
}

// Under a point of the lanes' area.
LaneUnder under_point(const LaneRows& lanes, ImVec2 point)
{
    const WorkLanes& all = lanes.chart.shown.lanes;
    const auto lane = std::min(all.lanes.size() - 1,
                               static_cast<std::size_t>(std::max(0.0f, (point.y - lanes.area.min.y) / lanes.row)));
    const auto& spans = all.lanes[lane];
    const auto after = std::ranges::upper_bound(
        spans, point.x, {}, [&](const WorkLanes::Span& span) { return lanes.x(static_cast<double>(span.from)); });
    if (after != spans.begin())
        if (const WorkLanes::Span& span = *std::prev(after); point.x < lanes.of_span(lane, span).max.x + 1)
            return {span.part, {}};
    if (point.x < lanes.x(static_cast<double>(all.length)))
        return {{}, lane};
    return {};
}

} // namespace

Colour work_colour(const Theme& theme, const WorkPart& part, bool whole)
{
    const Colour colour = category_colour(theme, part.block);
    return whole ? mix(theme.panel, colour, 0.5f) : colour;
}

std::string name_of_map(const WorkFacts& facts)
{
    const TileWork& work = facts.launched().work;
    return plain(Message{"placement.work_map", {{"rows", work.rows}, {"cols", work.cols}}});
}

PartUnder draw_work_map(const WorkPicture& picture, WorkMapPixels& pixels, const draw::Box& box)
{
    const Theme& theme = picture.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const WorkCase& shown = picture.facts.launched();
    const TileWork& work = shown.work;
    draw::text(list, theme.text, box.min, theme.ink_quiet, name_of_map(picture.facts));
    name_signs(picture, {{box.min.x + draw::measure(theme.text, name_of_map(picture.facts)).x, box.min.y}, box.max});
    const Map map(work, {{box.min.x, box.min.y + draw::row_height(theme, 2)}, box.max});
    const draw::Box& area = map.area;
    if (area.width() < 2 || area.height() < 2)
        return {};
    pixels.show(theme, area, theme.background, &shown, [&](const auto& fill) {
        for (const WorkPart& part : work.parts)
            fill(map.of_part(part), colour_of(theme, work, part));
    });
    const bool hovered = item("work map", area, picture.marks);
    const draw::Box widest = map.of_part({.block = 0, .tile = 0, .first = 0, .count = shown.longest});
    if (has_room_for_digit(theme, widest.width(), widest.height()))
        for (const WorkPart& part : work.parts)
            draw_number(picture, part, map.of_part(part), false);
    if (picture.selected)
        for (const std::size_t part : parts_of_block(work, *picture.selected))
            frame_selected(picture, work.parts[part], map.of_part(work.parts[part]));
    PartUnder under;
    const ImVec2 mouse = ImGui::GetMousePos();
    if (const auto tile = map.tile_at(mouse); hovered && tile)
        for (std::size_t at = shown.by_tile.first[*tile]; at < shown.by_tile.first[*tile + 1]; ++at)
            if (const std::size_t part = shown.by_tile.parts[at]; map.of_part(work.parts[part]).holds(mouse))
                under = part;
    return under;
}

PartUnder draw_work_columns(const WorkPicture& picture, WorkColumnsPixels& pixels, const draw::Box& box)
{
    const Theme& theme = picture.theme;
    const float line = draw::row_height(theme, 2), labels = draw::measure(theme.mono, "0000").x + theme.px(6);
    const Columns columns = columns_of(picture, {{box.min.x + labels, box.min.y + 2 * line}, {box.max.x, box.max.y}});
    const draw::Box& area = columns.area;
    if (area.width() < theme.px(8) || area.height() < theme.px(8))
        return {};
    draw::text(ImGui::GetWindowDrawList(), theme.text, box.min, theme.ink_quiet,
               name_of_columns(columns, theme, box.width()));
    pixels.show(theme, area, theme.background, {&columns.shown, columns},
                [&](const auto& fill) { paint_columns(columns, theme, fill); });
    const bool hovered = item("work columns", area, picture.marks);
    PartUnder under;
    columns.for_each([&](std::size_t column, std::size_t index) {
        const WorkPart& part = columns.shown.work.parts[index];
        const draw::Box cell = columns.of_part(column, part);
        if (has_room_for_digit(theme, cell.width(), cell.height()))
            draw_number(picture, part, cell, true);
        frame_selected(picture, part, cell);
        if (hovered && cell.holds(ImGui::GetMousePos()))
            under = index;
    });
    label_tiles(columns, theme, line);
    label_k_tiles(columns, theme);
    return under;
}

LaneUnder draw_work_lanes(const WorkChart& chart, WorkLanesPixels& pixels, const draw::Box& box)
{
    const Theme& theme = chart.picture.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const WorkCase& shown = chart.shown;
    const std::size_t count = shown.lanes.lanes.size();
    const float axis = chart.axis ? draw::measure(theme.mono, "0").y + theme.px(7) : 0;
    const draw::Box area = rounded_box({{box.min.x + room_for_names(theme), box.min.y}, {box.max.x, box.max.y - axis}});
    if (area.width() < 2 || area.height() < 2 || count == 0)
        return {};
    const LaneRows lanes{chart, area, area.height() / static_cast<float>(count)};
    pixels.show(theme, area, theme.background, {&shown, chart.most},
                [&](const auto& fill) { paint_lanes(lanes, fill); });
    label_lanes(lanes, box.min.x);
    const bool hovered =
        item(&shown == &chart.picture.facts.cut ? "lanes cut" : "lanes whole", area, chart.picture.marks);
    draw_spans(lanes);
    if (chart.axis) {
        const Scale scale({.least = 0, .most = chart.most, .logarithmic = false, .title = {}}, area.min.x, area.max.x);
        draw_ticks(list, theme, scale, {area.max.y, area.max.y + theme.px(3), box.min.x, box.max.x});
        draw::text(list, theme.text, {box.min.x, area.max.y + theme.px(5)}, theme.ink_quiet,
                   plain(Message{"placement.work_unit"}));
    }
    return hovered ? under_point(lanes, ImGui::GetMousePos()) : LaneUnder{};
}

} // namespace viz
