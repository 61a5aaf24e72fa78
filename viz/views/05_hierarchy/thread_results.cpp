#include "viz/views/05_hierarchy/thread_results.h"

#include "viz/analysis/values.h"
#include "viz/draw/numbers.h"
#include "viz/draw/sum_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace viz {

namespace {

// The results as they lie in C, without the gaps between them.
struct Grid {
    std::vector<uint32_t> rows, cols;
    draw::Box box; // below the thread's name

    Grid(const draw::Box& thread, const std::vector<Cell>& cells)
    {
        std::set<uint32_t> of_rows, of_cols;
        for (const Cell& cell : cells) {
            of_rows.insert(cell.row);
            of_cols.insert(cell.col);
        }
        rows.assign(of_rows.begin(), of_rows.end());
        cols.assign(of_cols.begin(), of_cols.end());
        box = {{thread.min.x, thread.min.y + thread.height() * name_share}, thread.max};
    }

    draw::Box at(const Cell& cell) const
    {
        const auto place = [](const std::vector<uint32_t>& all, uint32_t one) {
            return static_cast<float>(std::ranges::lower_bound(all, one) - all.begin());
        };
        const float wide = box.width() / static_cast<float>(cols.size()),
                    high = box.height() / static_cast<float>(rows.size());
        const ImVec2 low{box.min.x + wide * place(cols, cell.col), box.min.y + high * place(rows, cell.row)};
        return {low, {low.x + wide - 1, low.y + high - 1}};
    }

    static constexpr float name_share = 0.12f; // of the thread's cell
};

// Nothing where the thread's own words name its only result, or where no name has room.
std::optional<Grid> grid_of(const draw::Box& thread, const ThreadResults& results)
{
    if (results.cells.empty() || results.recording.arrays.size() < 3 ||
        (results.cells.size() == 1 && products_of(results.recording) < 2))
        return {};
    const Grid grid(thread, results.cells);
    const bool room = grid.at(results.cells.front()).width() >= draw::measure(results.theme.mono, "C(0, 0)").x;
    return room ? std::optional(grid) : std::nullopt;
}

void draw_result(ImDrawList* list, const draw::Box& box, const ThreadResults& results, const Cell& cell)
{
    const Theme& theme = results.theme;
    const bool chosen = results.chosen == cell;
    const Colour face = mix(theme.panel, theme.accent(), chosen ? 0.8f : 0.45f), ink = ink_on(face);
    list->AddRectFilled(box.min, box.max, face);
    if (chosen)
        list->AddRect(box.min, box.max, theme.ink, 0, 0, theme.px(2));
    const recording::Recording& recording = results.recording;
    const uint32_t K = products_of(recording);
    constexpr uint64_t few_products = 65'536; // that are added up within a frame
    const bool quick = K * uint64_t{results.cells.size()} <= few_products || box.width() > theme.px(300);
    const auto sum = quick && K > 0 ? partial_sum(recording, cell, 0, K) : std::nullopt;
    const std::string name = element_name(recording.arrays[2].name, {cell});
    const std::string value = sum ? short_value(recording, *sum) : "";
    const float line = draw::measure(theme.heading, "0").y + theme.px(6);
    const draw::Box below{{box.min.x + theme.px(10), box.min.y + line + theme.px(6)},
                          {box.max.x - theme.px(10), box.max.y - theme.px(6)}};
    if (K < 2 || below.width() < draw::longest_term(theme, recording) || below.height() < 3 * line)
        return draw::named_value(list, theme, box, {name, value, ink});
    draw::text(list, theme.heading, {below.min.x, box.min.y + theme.px(4)}, ink,
               value.empty() ? name + " =" : fmt::format("{} = {} =", name, value));
    for (const Label& term : draw::sum_terms(theme, below, {recording, cell, ink}))
        draw::text(list, theme.mono, {term.at.x, term.at.y - draw::measure(theme.mono, term.words).y / 2}, term.colour,
                   term.words);
    mark(results.marks, "sum of " + name, below);
}

} // namespace

ThreadElements elements_of(const LaunchSide& side, const Selection& selection)
{
    ThreadElements elements{side.owned(side.selected), {}};
    if (const auto& c = selection.c;
        c && std::ranges::find(elements.cells, Cell{c->first, c->second}) != elements.cells.end())
        elements.chosen = Cell{c->first, c->second};
    return elements;
}

uint32_t products_of(const recording::Recording& recording)
{
    const bool vectors = recording.arrays.size() > 2 && recording.arrays[2].rows == 1;
    return multiplies(recording) && !vectors ? recording.arrays[0].cols : 0;
}

void draw_results(ImDrawList* list, const draw::Box& thread, const ThreadResults& results)
{
    const auto grid = grid_of(thread, results);
    if (!grid)
        return;
    const draw::Box head{thread.min, {thread.max.x, grid->box.min.y}};
    list->AddRectFilled(thread.min, thread.max, results.theme.background); // over the thread's own words
    draw::text_in(list, results.theme.mono_bold, head, results.theme.ink, results.name);
    const draw::Box sight{list->GetClipRectMin(), list->GetClipRectMax()};
    for (const Cell& cell : results.cells)
        if (const draw::Box box = grid->at(cell); box.overlaps(sight))
            draw_result(list, box, results, cell);
}

std::optional<Cell> result_under(const draw::Box& thread, const ThreadResults& results, ImVec2 mouse)
{
    if (const auto grid = grid_of(thread, results))
        for (const Cell& cell : results.cells)
            if (grid->at(cell).holds(mouse))
                return cell;
    return {};
}

PanZoom::Rect rect_of_result(const Plan& plan, ThreadRef thread, const ThreadElements& results, const Cell& cell)
{
    const PanZoom::Rect whole = rect_of_thread(plan, thread);
    constexpr float unit = 1000; // of a box that stands for the thread's cell
    const draw::Box box = Grid({{0, 0}, {unit, unit}}, results.cells).at(cell);
    return {whole.x + whole.width * static_cast<double>(box.min.x) / unit,
            whole.y + whole.height * static_cast<double>(box.min.y) / unit,
            whole.width * static_cast<double>(box.width()) / unit,
            whole.height * static_cast<double>(box.height()) / unit};
}

} // namespace viz
