#include "viz/views/08_placement/work_picture.h"

#include "viz/draw/plot.h"
#include "viz/origin.h"
#include "viz/text/templates.h"
#include "viz/views/08_placement/placement_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

bool is_whole(const TileWork& work, const WorkPart& part)
{
    return part.count == work.k_tiles;
}

Colour colour_of(const Theme& theme, const TileWork& work, const WorkPart& part)
{
    return work_colour(theme, part, is_whole(work, part));
}

// Whether it must be painted; it is of this then.
bool renewed(WorkImage& image, const WorkImage& wanted)
{
    const auto same = [&](auto member) { return image.*member == wanted.*member; };
    if (same(&WorkImage::of) && same(&WorkImage::from) && same(&WorkImage::scale) && same(&WorkImage::width) &&
        same(&WorkImage::height) && same(&WorkImage::dark))
        return false;
    image.of = wanted.of;
    image.from = wanted.from;
    image.scale = wanted.scale;
    image.width = wanted.width;
    image.height = wanted.height;
    image.dark = wanted.dark;
    return true;
}

void show(const WorkImage& image, const draw::Box& area)
{
    ImGui::GetWindowDrawList()->AddImage(reinterpret_cast<ImTextureID>(static_cast<intptr_t>(image.pixels.texture())),
                                         area.min, area.max);
}

draw::Box rounded(const draw::Box& box)
{
    return {{std::round(box.min.x), std::round(box.min.y)}, {std::round(box.max.x), std::round(box.max.y)}};
}

bool item(const char* name, const draw::Box& area, Marks* marks)
{
    ImGui::SetCursorScreenPos(area.min);
    ImGui::InvisibleButton(name, {std::max(1.0f, area.width()), std::max(1.0f, area.height())});
    mark(marks, name, area.min, area.max);
    return ImGui::IsItemHovered();
}

float line_of(const Theme& theme)
{
    return std::ceil(draw::measure(theme.text, "0").y + theme.px(2));
}

void frame_selected(const WorkPicture& picture, const WorkPart& part, const draw::Box& box)
{
    const float least = picture.theme.px(5); // else the frame is all that is seen of it
    if (picture.selected == part.block && box.width() >= least && box.height() >= least)
        ImGui::GetWindowDrawList()->AddRect(box.min, box.max, picture.theme.ink, 0, 0, picture.theme.px(2));
}

// A part's number, its sign of how it is known, and a frame where its block is selected.
void draw_part(const WorkPicture& picture, const WorkPart& part, const draw::Box& box, bool sign)
{
    const Theme& theme = picture.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Colour face = colour_of(theme, picture.facts.launched().work, part);
    const std::string number = std::to_string(part.block);
    const bool numbered = box.height() >= theme.px(11) && draw::text_in(list, theme.mono, box, ink_on(face), number);
    const float radius = theme.px(3), right = draw::measure(theme.mono, number).x / 2 + theme.px(5) + radius;
    if (sign && numbered && box.width() >= 2 * (right + radius))
        draw_origin(*list, part.recorded ? NumberOrigin::recorded : NumberOrigin::derived,
                    {(box.min.x + box.max.x) / 2 + right, (box.min.y + box.max.y) / 2}, radius, ink_on(face));
    frame_selected(picture, part, box);
}

// C with its tiles, in an area of its own proportions as far as the cells of a narrow one have room then.
struct Map {
    const TileWork& work;
    draw::Box area;

    Map(const TileWork& of, const draw::Box& box) : work(of), area(rounded(box))
    {
        const auto rows = static_cast<float>(work.rows * work.BM), cols = static_cast<float>(work.cols * work.BN);
        const float scale = std::min(box.width() / cols, box.height() / rows);
        area = rounded({box.min,
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
};

// Of the tiles' columns: which tiles, and how many of their k-tiles.
struct Columns {
    const WorkCase& shown;
    draw::Box area; // of the columns themselves
    std::vector<uint32_t> tiles;
    std::size_t from = 0, count = 0; // of them in sight
    uint32_t depth = 1;              // k-tiles in sight

    draw::Box of_part(std::size_t column, const WorkPart& part) const
    {
        const float width = area.width() / static_cast<float>(count);
        const float left = area.min.x + width * static_cast<float>(column);
        const auto at = [&](uint32_t k) {
            return area.min.y + area.height() * static_cast<float>(std::min(k, depth)) / static_cast<float>(depth);
        };
        return {{left, at(part.first)}, {left + width - 2, at(part.first + part.count)}};
    }
    template <class Function>
    void for_each(const Function& function) const // (column, index of part)
    {
        for (std::size_t i = 0; i < count; ++i) {
            const uint32_t tile = tiles[from + i];
            for (std::size_t at = shown.by_tile.first[tile]; at < shown.by_tile.first[tile + 1]; ++at)
                if (const std::size_t part = shown.by_tile.parts[at]; shown.work.parts[part].first < depth)
                    function(i, part);
        }
    }
};

// The tiles that are taken last: those that are cut and, where there is room, whole ones of the wave before. Around the selected
// block's where not all of them fit.
Columns columns_of(const WorkPicture& picture, const draw::Box& area)
{
    const WorkCase& shown = picture.facts.launched();
    Columns columns{.shown = shown, .area = rounded(area), .tiles = shown.by_tile.cut};
    const auto fitting = static_cast<uint32_t>(std::max(1.0f, area.width() / picture.theme.px(18)));
    const auto at_ease = static_cast<uint32_t>(std::max(1.0f, area.width() / picture.theme.px(40)));
    const uint32_t tiles = shown.work.tiles(), places = picture.facts.places;
    if (columns.tiles.empty())
        for (uint32_t tile = (tiles - 1) / places * places; tile < tiles; ++tile)
            columns.tiles.push_back(tile);
    uint32_t first = columns.tiles.front();
    for (uint32_t whole = 0; whole < places && columns.tiles.size() < at_ease && first > 0; ++whole)
        columns.tiles.insert(columns.tiles.begin(), --first);
    columns.count = std::min<std::size_t>(columns.tiles.size(), fitting);
    columns.from = shown.by_tile.cut.empty() ? 0 : columns.tiles.size() - columns.count;
    for (const WorkPart& part : shown.work.parts)
        if (picture.selected == part.block)
            if (const auto found = std::ranges::find(columns.tiles, part.tile); found != columns.tiles.end()) {
                const auto at = static_cast<std::size_t>(found - columns.tiles.begin());
                if (at < columns.from || at >= columns.from + columns.count)
                    columns.from = std::min(at - std::min(at, columns.count / 2), columns.tiles.size() - columns.count);
                break;
            }
    // Slices that take turns would blur where k-tiles are thinner.
    const auto thick = static_cast<uint32_t>(std::max(1.0f, area.height() / picture.theme.px(4)));
    columns.depth = shown.work.slices > 1 ? std::min(shown.work.k_tiles, thick) : shown.work.k_tiles;
    return columns;
}

} // namespace

Colour work_colour(const Theme& theme, const WorkPart& part, bool whole)
{
    const Colour colour = category_colour(theme, part.block);
    return whole ? draw::mix(theme.panel, colour, 0.5f) : colour;
}

PartUnder draw_work_map(const WorkPicture& picture, WorkImage& image, const draw::Box& box)
{
    const Theme& theme = picture.theme;
    const WorkCase& shown = picture.facts.launched();
    const TileWork& work = shown.work;
    draw::text(ImGui::GetWindowDrawList(), theme.text, box.min, theme.ink_quiet,
               plain(Message{"placement.work_map", {{"rows", work.rows}, {"cols", work.cols}}}));
    const Map map(work, {{box.min.x, box.min.y + line_of(theme)}, box.max});
    const draw::Box& area = map.area;
    if (area.width() < 2 || area.height() < 2)
        return {};
    const WorkImage wanted{.of = &shown,
                           .width = static_cast<int>(area.width()),
                           .height = static_cast<int>(area.height()),
                           .dark = theme.dark,
                           .pixels = {}};
    if (renewed(image, wanted)) {
        image.pixels.clear(image.width, image.height, theme.background);
        for (const WorkPart& part : work.parts) {
            const draw::Box cell = map.of_part(part);
            image.pixels.fill(cell.min.x - area.min.x, cell.min.y - area.min.y, cell.max.x - area.min.x,
                              cell.max.y - area.min.y, colour_of(theme, work, part));
        }
        image.pixels.upload();
    }
    show(image, area);
    const bool hovered = item("work map", area, picture.marks);
    const bool numbered = area.height() / static_cast<float>(work.rows) >= theme.px(11);
    PartUnder under;
    for (std::size_t i = 0; i < work.parts.size(); ++i) {
        const WorkPart& part = work.parts[i];
        if (!numbered && !hovered && picture.selected != part.block)
            continue;
        const draw::Box cell = map.of_part(part);
        draw_part(picture, part, cell, false);
        if (hovered && cell.holds(ImGui::GetMousePos()))
            under = i;
    }
    return under;
}

PartUnder draw_work_columns(const WorkPicture& picture, WorkImage& image, const draw::Box& box)
{
    const Theme& theme = picture.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float line = line_of(theme), labels = draw::measure(theme.mono, "0000").x + theme.px(6);
    const Columns columns = columns_of(picture, {{box.min.x + labels, box.min.y + 2 * line}, {box.max.x, box.max.y}});
    const draw::Box& area = columns.area;
    const WorkCase& shown = columns.shown;
    if (area.width() < theme.px(8) || area.height() < theme.px(8))
        return {};
    const std::size_t all = columns.tiles.size();
    Messages some;
    if (columns.count < all)
        some.push_back({"placement.work_some", {{"shown", columns.count}, {"all", all}}});
    draw::text(list, theme.text, box.min, theme.ink_quiet,
               plain(Message{"placement.work_columns", {{"cut", !shown.by_tile.cut.empty()}, {"some", some}}}));
    const WorkImage wanted{.of = &shown,
                           .from = columns.from,
                           .scale = static_cast<double>(columns.count),
                           .width = static_cast<int>(area.width()),
                           .height = static_cast<int>(area.height()),
                           .dark = theme.dark,
                           .pixels = {}};
    if (renewed(image, wanted)) {
        const float thick = area.height() / static_cast<float>(columns.depth);
        image.pixels.clear(image.width, image.height, theme.background);
        columns.for_each([&](std::size_t column, std::size_t index) {
            const WorkPart& part = shown.work.parts[index];
            for (uint32_t k = part.first; k < std::min(part.first + part.count, columns.depth); ++k) {
                const draw::Box cell =
                    columns.of_part(column, {.block = part.block, .tile = part.tile, .first = k, .count = 1});
                image.pixels.fill(cell.min.x - area.min.x, cell.min.y - area.min.y, cell.max.x - area.min.x,
                                  cell.max.y - area.min.y - (thick >= 4 ? 1.0f : 0.0f),
                                  colour_of(theme, shown.work, part));
            }
        });
        image.pixels.upload();
    }
    show(image, area);
    const bool hovered = item("work columns", area, picture.marks);
    PartUnder under;
    columns.for_each([&](std::size_t column, std::size_t index) {
        const WorkPart& part = shown.work.parts[index];
        const draw::Box cell = columns.of_part(column, part);
        draw_part(picture, part, cell, true);
        if (hovered && cell.holds(ImGui::GetMousePos()))
            under = index;
    });
    for (std::size_t i = 0; i < columns.count; ++i) { // which tile of C
        const float width = area.width() / static_cast<float>(columns.count),
                    left = area.min.x + width * static_cast<float>(i);
        const Cell place = shown.work.places[columns.tiles[columns.from + i]];
        draw::text_in(list, theme.mono, {{left, box.min.y + line}, {left + width, area.min.y}}, theme.ink_quiet,
                      fmt::format("{},{}", place.row, place.col));
    }
    const Scale scale({.least = 0, .most = static_cast<double>(columns.depth), .logarithmic = false, .title = {}},
                      area.min.y, area.max.y);
    float free_from = area.min.y;
    for (const double k : ticks_of(scale.axis(), 8)) {
        const float height = draw::measure(theme.mono, "0").y, y = std::min(scale.at(k), area.max.y - height);
        if (y < free_from)
            continue;
        draw::text_right(list, theme.mono, {area.min.x - theme.px(5), y}, theme.ink_quiet, tick_text(scale.axis(), k));
        free_from = y + height;
    }
    return under;
}

namespace {

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
    void paint(gl::Pixels& pixels, const draw::Box& box, Colour colour) const
    {
        pixels.fill(box.min.x - area.min.x, box.min.y - area.min.y, box.max.x - area.min.x, box.max.y - area.min.y,
                    colour);
    }
};

void paint_lanes(const LaneRows& lanes, WorkImage& image)
{
    const WorkChart& chart = lanes.chart;
    const Theme& theme = chart.picture.theme;
    const TileWork& work = chart.shown.work;
    const WorkLanes& all = chart.shown.lanes;
    image.pixels.clear(image.width, image.height, theme.background);
    for (std::size_t lane = 0; lane < all.lanes.size(); ++lane) {
        if (const uint64_t end = all.end_of(lane, work); end < all.length)
            lanes.paint(image.pixels,
                        {{lanes.x(static_cast<double>(end)), lanes.top(lane)},
                         {lanes.x(static_cast<double>(all.length)), lanes.bottom(lane)}},
                        idle_colour(theme));
        for (const WorkLanes::Span& span : all.lanes[lane])
            lanes.paint(image.pixels, lanes.of_span(lane, span), colour_of(theme, work, work.parts[span.part]));
    }
    image.pixels.upload();
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
        const std::string name =
            lane > 0 ? std::to_string(lane)
                     : plain(Message{"placement.work_lane", {{"sm", picture.facts.on_sms}, {"lane", index(lane)}}});
        draw::text_right(ImGui::GetWindowDrawList(), theme.mono, {std::max(left, lanes.area.min.x - theme.px(6)), y},
                         theme.ink_quiet, name);
        free_from = y + height;
    }
}

} // namespace

LaneUnder draw_work_lanes(const WorkChart& chart, WorkImage& image, const draw::Box& box)
{
    const Theme& theme = chart.picture.theme;
    const WorkCase& shown = chart.shown;
    const std::size_t count = shown.lanes.lanes.size();
    const float digits = draw::measure(theme.mono, "0").y;
    const float labels = draw::measure(theme.mono, "place 0").x + theme.px(8);
    const draw::Box area =
        rounded({{box.min.x + labels, box.min.y}, {box.max.x, box.max.y - (chart.axis ? digits + theme.px(7) : 0)}});
    if (area.width() < 2 || area.height() < 2 || count == 0)
        return {};
    const LaneRows lanes{chart, area, area.height() / static_cast<float>(count)};
    const WorkImage wanted{.of = &shown,
                           .scale = chart.most,
                           .width = static_cast<int>(area.width()),
                           .height = static_cast<int>(area.height()),
                           .dark = theme.dark,
                           .pixels = {}};
    if (renewed(image, wanted))
        paint_lanes(lanes, image);
    show(image, area);
    label_lanes(lanes, box.min.x);
    const bool launched = &shown == &chart.picture.facts.launched(), cut = &shown == &chart.picture.facts.cut;
    const bool hovered = item(cut ? "lanes cut" : "lanes whole", area, chart.picture.marks);
    const bool numbered = lanes.row >= theme.px(11);
    const ImVec2 mouse = ImGui::GetMousePos();
    const std::size_t at =
        std::min(count - 1, static_cast<std::size_t>(std::max(0.0f, (mouse.y - area.min.y) / lanes.row)));
    LaneUnder under;
    for (std::size_t lane = 0; lane < count; ++lane)
        for (const WorkLanes::Span& span : shown.lanes.lanes[lane]) {
            const WorkPart& part = shown.work.parts[span.part];
            const draw::Box cell = lanes.of_span(lane, span);
            if (numbered && cell.width() > theme.px(6))
                draw::text_in(ImGui::GetWindowDrawList(), theme.mono, cell, ink_on(colour_of(theme, shown.work, part)),
                              std::to_string(part.block));
            if (launched)
                frame_selected(chart.picture, part, cell);
            if (hovered && at == lane && mouse.x >= cell.min.x && mouse.x < cell.max.x + 1)
                under.part = span.part;
        }
    if (hovered && !under.part && mouse.x < lanes.x(static_cast<double>(shown.lanes.length)))
        under.idle = at;
    if (chart.axis) {
        const Scale scale({.least = 0, .most = chart.most, .logarithmic = false, .title = {}}, area.min.x, area.max.x);
        draw_ticks(ImGui::GetWindowDrawList(), theme, scale,
                   {area.max.y, area.max.y + theme.px(3), box.min.x, box.max.x});
        draw::text(ImGui::GetWindowDrawList(), theme.text, {box.min.x, area.max.y + theme.px(5)}, theme.ink_quiet,
                   plain(Message{"placement.work_unit"}));
    }
    return under;
}

} // namespace viz
