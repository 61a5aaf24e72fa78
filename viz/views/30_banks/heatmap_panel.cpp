#include "viz/views/30_banks/heatmap_panel.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

struct HeatmapGeometry {
    ImVec2 place;
    float width = 0, label = 0, sum = 0, header = 0, row = 0; // sum: width of the row totals at the right

    float left() const { return place.x + label; }
    float steps_width() const { return std::max(10.0f, width - label - sum); }
    float top(std::size_t index) const { return place.y + header + row * static_cast<float>(index); }
};

// Above the sums of the lines: that of all, bank conflicts of copies' writes among them.
std::string sum_of_all(const Heatmap& map)
{
    return "sum " + thousands(map.conflicts);
}

HeatmapGeometry geometry_of(const HeatmapPanel& panel)
{
    const float text = std::max(draw::line_height(panel.theme.mono), draw::line_height(panel.theme.text));
    HeatmapGeometry g;
    g.place = {std::round(panel.box.min.x), std::round(panel.box.min.y)};
    g.width = panel.box.width();
    g.label = std::ceil(panel.extent.label_width + panel.theme.px(8));
    g.sum = std::ceil(panel.extent.sum_width + panel.theme.px(8));
    g.header = std::round(text + panel.theme.px(4));
    const auto rows = static_cast<float>(std::max<std::size_t>(panel.facts.map.rows.size(), 1));
    g.row = std::floor(std::max(panel.theme.px(3), (panel.box.height() - g.header - panel.theme.px(2)) / rows));
    return g;
}

float fitting(const HeatmapPanel& panel, const HeatmapGeometry& g, std::size_t steps)
{
    return std::min(g.steps_width() / static_cast<float>(std::max<std::size_t>(steps, 1)), panel.theme.px(48));
}

// Of a step: as chosen, else as wide as a k-tile.
float cell_of(const HeatmapPanel& panel, const HeatmapZoom& zoom, const HeatmapGeometry& g)
{
    return zoom.cell > 0 ? zoom.cell : fitting(panel, g, panel.extent.page);
}

void clamp(const HeatmapPanel& panel, HeatmapZoom& zoom, const HeatmapGeometry& g)
{
    if (zoom.cell > 0)
        zoom.cell = std::clamp(zoom.cell, fitting(panel, g, panel.extent.steps), panel.theme.px(48));
    const double seen = g.steps_width() / cell_of(panel, zoom, g);
    double& first = zoom.places[panel.place].first;
    first = std::clamp(first, 0.0, std::max(0.0, static_cast<double>(panel.extent.steps) - seen));
}

// Keeps the current step in view. A k-tile stays where it is until the next one begins: as one is like the other, what is
// seen stands still while time passes.
void follow(const HeatmapPanel& panel, HeatmapZoom& zoom, const HeatmapGeometry& g)
{
    HeatmapZoom::Place& place = zoom.places[panel.place];
    clamp(panel, zoom, g);
    if (place.followed == panel.step)
        return;
    place.followed = panel.step;
    const double seen = g.steps_width() / cell_of(panel, zoom, g), at = static_cast<double>(panel.step);
    const auto after = std::ranges::upper_bound(panel.facts.pages, panel.step);
    const double page = after == panel.facts.pages.begin() ? 0 : static_cast<double>(*std::prev(after));
    constexpr double rounding = 0.5; // of a step: the width of a k-tile is seldom a whole number of pixels
    if (zoom.cell == 0 && at + 1 <= page + seen + rounding)
        place.first = page;
    else if (at < place.first + seen * 0.05 || at + 1 > place.first + seen * 0.95)
        place.first = at - seen / 3;
    clamp(panel, zoom, g);
}

// By a factor, so that a step stays where it is in this panel; the other one, if any, moves alike.
void zoom_around(const HeatmapPanel& panel, HeatmapZoom& zoom, const HeatmapGeometry& g, double step, float factor)
{
    const float before = cell_of(panel, zoom, g);
    const double share = step - zoom.places[panel.place].first;
    zoom.cell = before * factor;
    clamp(panel, zoom, g);
    for (HeatmapZoom::Place& place : zoom.places)
        place.first += share * (1 - static_cast<double>(before / zoom.cell));
    clamp(panel, zoom, g);
}

void handle_mouse(const HeatmapPanel& panel, HeatmapZoom& zoom, const HeatmapGeometry& g)
{
    const ImGuiIO& io = ImGui::GetIO();
    const float cell = cell_of(panel, zoom, g);
    double by = 0; // steps, in both panels
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left))
        by = io.MouseDelta.x / cell;
    if (ImGui::IsItemHovered() && (io.KeyShift || io.MouseWheelH != 0))
        by = (io.KeyShift ? io.MouseWheel : io.MouseWheelH) * g.steps_width() / cell / 10;
    else if (ImGui::IsItemHovered() && io.MouseWheel != 0)
        zoom_around(panel, zoom, g, zoom.places[panel.place].first + (io.MousePos.x - g.left()) / cell,
                    std::pow(1.25f, io.MouseWheel));
    for (HeatmapZoom::Place& place : zoom.places)
        place.first -= by;
    clamp(panel, zoom, g);
}

// What is drawn with: the width of a step and the one at the left edge.
struct HeatmapScale {
    float cell = 1;
    double first = 0;
};

void draw_axis(const HeatmapPanel& panel, const HeatmapScale& zoom, const HeatmapGeometry& g, ImDrawList* list)
{
    const Theme& theme = panel.theme;
    const recording::Recording& recording = panel.recording;
    const bool product = !recording.executed || recording.executed->multiplies;
    float free_from = g.left();
    int last_tile = -1;
    for (const Phase& phase : panel.facts.phases) {
        const bool works = phase.kind == PhaseKind::load || phase.kind == PhaseKind::compute;
        const bool starts = works && phase.k_tile > last_tile;
        if (!starts && phase.kind != PhaseKind::store)
            continue;
        last_tile = phase.k_tile;
        const float x = g.left() + static_cast<float>((static_cast<double>(phase.first) - zoom.first) * zoom.cell);
        if (x < g.left() || x >= g.left() + g.steps_width())
            continue;
        const std::string text = phase.kind == PhaseKind::store
                                     ? recording.arrays[2].name
                                     : fmt::format("{} {}", product ? "k-tile" : "round", phase.k_tile + 1);
        const float wide = draw::measure(theme.mono, text).x;
        list->AddLine({std::round(x) - 1, g.place.y + g.header - theme.px(4)},
                      {std::round(x) - 1, g.top(panel.facts.map.rows.size())}, theme.border);
        if (x < free_from || x + wide > g.left() + g.steps_width())
            continue;
        draw::text(list, theme.mono, {x, g.place.y}, theme.ink_faint, text);
        free_from = x + wide + theme.px(8);
    }
}

// Only what is on the screen as a whole.
void mark_cell(const HeatmapPanel& panel, const ImDrawList* list, uint32_t line, const HeatCell& cell,
               const draw::Box& box)
{
    const ImVec2 least = list->GetClipRectMin(), most = list->GetClipRectMax();
    if (panel.marks == nullptr || box.min.x < least.x || box.min.y < least.y || box.max.x > most.x ||
        box.max.y > most.y)
        return;
    const float share = panel.extent.worst == 0
                            ? 0.0f
                            : static_cast<float>(cell.totals.conflicts) / static_cast<float>(panel.extent.worst);
    panel.marks->cells.push_back({line, cell.step, cell.totals.conflicts, share, box.min, box.max});
}

void draw_cells(const HeatmapPanel& panel, const HeatmapScale& zoom, const HeatmapGeometry& g, ImDrawList* list,
                std::size_t index)
{
    const HeatRow& row = panel.facts.map.rows[index];
    const float top = g.top(index), bottom = top + g.row - 1;
    // One bar per step, or, where steps are thinner than a pixel or two, per bundle of steps: its worst cell.
    const auto bundle = static_cast<std::size_t>(std::max(1.0f, std::ceil(1.5f / zoom.cell)));
    const auto begin = static_cast<std::size_t>(std::max(0.0, std::floor(zoom.first))) / bundle * bundle;
    const double last = zoom.first + g.steps_width() / zoom.cell;
    for (std::size_t step = begin; static_cast<double>(step) < last && step < panel.facts.map.steps; step += bundle) {
        const HeatCell* cell = bundle == 1 ? cell_at(row, step) : worst_cell(row, step, step + bundle);
        if (!cell)
            continue;
        const auto x = [&](std::size_t s) {
            const float at = g.left() + static_cast<float>((static_cast<double>(s) - zoom.first) * zoom.cell);
            return std::clamp(std::round(at), g.left(), g.left() + g.steps_width());
        };
        const float hairline = zoom.cell * static_cast<float>(bundle) >= 4 ? 1.0f : 0.0f;
        const draw::Box box{{x(step), top}, {x(step + bundle) - hairline, bottom}};
        if (box.width() <= 0)
            continue;
        const Colour colour = conflict_colour(panel.theme, cell->totals.conflicts, panel.extent.worst);
        list->AddRectFilled(box.min, box.max, colour);
        if (bundle == 1)
            mark_cell(panel, list, row.line, *cell, box);
        if (bundle == 1)
            draw::text_in(list, panel.theme.mono, box, ink_on(colour), thousands(cell->totals.conflicts));
    }
}

} // namespace

void include(HeatmapExtent& extent, const Theme& theme, const BankFacts& facts)
{
    const Heatmap& map = facts.map;
    const std::vector<std::size_t>& pages = facts.pages;
    for (const std::string& name : facts.names)
        extent.label_width = std::max(extent.label_width, draw::measure(theme.mono, name).x);
    extent.sum_width = std::max(extent.sum_width, draw::measure(theme.mono, sum_of_all(map)).x);
    extent.worst = std::max(extent.worst, map.worst);
    extent.steps = std::max(extent.steps, map.steps);
    for (std::size_t i = 0; i < pages.size(); ++i)
        extent.page = std::max(extent.page, (i + 1 < pages.size() ? pages[i + 1] : map.steps) - pages[i]);
}

void zoom_heatmap(const HeatmapPanel& panel, HeatmapZoom& zoom, float factor)
{
    const HeatmapGeometry g = geometry_of(panel);
    follow(panel, zoom, g);
    if (factor == 0)
        zoom.cell = fitting(panel, g, panel.extent.steps);
    else
        zoom_around(panel, zoom, g, static_cast<double>(panel.step), factor);
    clamp(panel, zoom, g);
}

namespace {

bool is_readable(const HeatmapGeometry& g, float line)
{
    return g.row >= line - 2;
}

// Where rows are too thin for their names: that of the row of the step, and of as many others as have room.
void draw_few_names(const HeatmapPanel& panel, const HeatmapGeometry& g, ImDrawList* list)
{
    const float line = draw::line_height(panel.theme.mono);
    if (is_readable(g, line))
        return;
    const auto middle = [&](std::size_t index) { return std::round(g.top(index) + (g.row - 1 - line) / 2); };
    const auto& rows = panel.facts.map.rows;
    const auto now =
        std::ranges::find_if(rows, [&](const HeatRow& row) { return cell_at(row, panel.step) != nullptr; });
    const auto own = static_cast<std::size_t>(now - rows.begin());
    float free_from = g.top(0) - line / 2;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const float y = middle(i);
        const bool beside_own = own < rows.size() && i != own && std::abs(y - middle(own)) < line;
        if (beside_own || (i != own && y < free_from))
            continue;
        draw::text(list, panel.theme.mono, {g.place.x, y}, i == own ? panel.theme.ink : panel.theme.ink_faint,
                   panel.facts.names[i]);
        mark(panel.marks, "row name:" + panel.facts.names[i], {g.place.x, y}, {g.left(), y + line});
        free_from = y + line;
    }
}

// A row's name, the ground on which its cells lie, the cells and their sum.
void draw_row(const HeatmapPanel& panel, const HeatmapScale& zoom, const HeatmapGeometry& g, ImDrawList* list,
              std::size_t index)
{
    const Theme& theme = panel.theme;
    const float line = draw::line_height(theme.mono), top = g.top(index), y = top + (g.row - 1 - line) / 2;
    const bool readable = is_readable(g, line);
    list->AddRectFilled({g.left(), top}, {g.left() + g.steps_width(), top + g.row - 1},
                        mix(theme.background, theme.border, 0.3f));
    if (readable)
        draw::text(list, theme.mono, {g.place.x, y}, theme.ink_quiet, panel.facts.names[index]);
    draw_cells(panel, zoom, g, list, index);
    const uint64_t conflicts = panel.facts.map.rows[index].totals.conflicts;
    if (readable)
        draw::text_right(list, theme.mono, {g.place.x + g.width, y}, conflicts > 0 ? theme.warning : theme.ink_quiet,
                         thousands(conflicts));
}

} // namespace

std::optional<HeatHit> draw_heatmap(const HeatmapPanel& panel, HeatmapZoom& shared)
{
    const HeatmapGeometry g = geometry_of(panel);
    const Theme& theme = panel.theme;
    const bool hovered = draw::item("heatmap", panel.box);
    follow(panel, shared, g);
    handle_mouse(panel, shared, g);
    const HeatmapScale zoom{cell_of(panel, shared, g), shared.places[panel.place].first};

    ImDrawList* list = ImGui::GetWindowDrawList();
    draw::text_right(list, theme.mono, {g.place.x + g.width, g.place.y},
                     panel.facts.map.worst > 0 ? theme.warning : theme.ink_quiet, sum_of_all(panel.facts.map));
    for (std::size_t i = 0; i < panel.facts.map.rows.size(); ++i)
        draw_row(panel, zoom, g, list, i);
    draw_few_names(panel, g, list);
    draw_axis(panel, zoom, g, list);
    const float x = g.left() + static_cast<float>((static_cast<double>(panel.step) - zoom.first) * zoom.cell);
    const float wide = std::max(zoom.cell, theme.px(3));
    if (x >= g.left() - 1 && x + wide <= g.left() + g.steps_width() + 1)
        list->AddRect({std::round(x) - 1, g.top(0) - 2}, {std::round(x + wide), g.top(panel.facts.map.rows.size()) + 1},
                      theme.ink, 0, 0, std::max(1.0f, std::round(theme.px(1.5f))));

    const ImVec2 mouse = ImGui::GetMousePos();
    const draw::Box cells{{g.left(), g.top(0)}, {g.left() + g.steps_width(), g.top(panel.facts.map.rows.size())}};
    if (!hovered || !cells.holds(mouse))
        return {};
    HeatHit hit;
    hit.row = std::min(static_cast<std::size_t>((mouse.y - cells.min.y) / g.row), panel.facts.map.rows.size() - 1);
    hit.step = static_cast<std::size_t>(zoom.first + (mouse.x - g.left()) / zoom.cell);
    hit.cell = cell_at(panel.facts.map.rows[hit.row], hit.step);
    return hit.step < panel.facts.map.steps ? std::optional(hit) : std::nullopt;
}

} // namespace viz
