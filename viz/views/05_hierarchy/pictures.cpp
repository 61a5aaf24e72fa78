#include "viz/draw/matrix_picture.h"
#include "viz/figure/arrow.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/figure.h"
#include "viz/views/05_hierarchy/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>
#include <utility>

namespace viz {

using recording::warp_size;

namespace {

constexpr double least_block = 6;    // in pixels; the grid is one surface if its blocks are smaller
constexpr double least_cells = 24;   // in pixels; the threads of smaller blocks are not cells
constexpr double least_thread = 1.5; // in pixels; smaller threads are not cells

// Returns whether the trace leaves out what this block stores, and has it of others.
bool is_left_out(const LaunchSide& side, uint64_t block)
{
    return side.idle != nullptr && side.idle->known == OwnersKnown::of_recorded_blocks && side.is_unknown(block);
}

// Returns "block (1,0) = 1", or "(1,0)".
std::string block_name(const Plan& plan, uint64_t block, bool whole)
{
    const std::string name = index_text(index_of(block, plan.launch.grid), plan.launch.grid);
    return whole ? fmt::format("block {} = {}", name, block) : name;
}

// The elements of C that the selected thread writes: a matrix in the thread's cell of the plan, below the thread's
// name. It has no gaps for elements of other threads.
struct Results {
    explicit Results(const LaunchSide& side) : cells(side.written), thread(rect_of_thread(side.plan, side.selected))
    {
        for (const Cell& cell : cells) {
            rows.push_back(cell.row);
            cols.push_back(cell.col);
        }
        keep_distinct(rows);
        keep_distinct(cols);
    }

    std::optional<Cell> element_at(const Cell& place) const
    {
        const Cell element{rows[place.row], cols[place.col]};
        return std::ranges::find(cells, element) != cells.end() ? std::optional(element) : std::nullopt;
    }
    CellRect place_of(const Cell& element) const
    {
        const auto at = [](const std::vector<uint32_t>& all, uint32_t one) {
            return static_cast<uint32_t>(std::ranges::lower_bound(all, one) - all.begin());
        };
        return {at(rows, element.row), at(cols, element.col)};
    }
    PanZoom::Rect rect(const CellRect& place) const // in cells of the plan
    {
        const double wide = thread.width / static_cast<double>(cols.size()), name = thread.height * name_share,
                     high = (thread.height - name) / static_cast<double>(rows.size());
        return {thread.x + wide * place.col, thread.y + name + high * place.row, wide, high};
    }

    static constexpr double name_share = 0.12; // fraction of the thread's cell
    std::vector<Cell> cells;
    PanZoom::Rect thread;
    std::vector<uint32_t> rows{}, cols{};
};

// The layers of a plan, as its camera shows it.
class PlanPicture {
public:
    PlanPicture(const LaunchSide& of, const Theme& with)
        : side(of), plan(of.plan), camera(of.camera), theme(with), results(std::make_shared<const Results>(of))
    {
        const ImVec2 text = draw::measure(theme.mono, fmt::format("{}", plan.launch.threads_per_block() - 1));
        numbered = camera.cell() >= text.x + theme.px(4) && camera.cell_height() >= text.y + theme.px(4);
        const PanZoom::Rect seen = camera.seen();
        std::tie(first_row, last_row) =
            draw::in_sight(0, plan.rows + plan.gap, plan.grid_rows, seen.y, seen.y + seen.height);
        std::tie(first_col, last_col) =
            draw::in_sight(0, plan.cols + plan.gap, plan.grid_cols, seen.x, seen.x + seen.width);
    }

    std::vector<Layer> layers(const Box& box)
    {
        const std::string launch = "plan of " + typed_text(plan.launch.block) + (plan.swapped ? " swapped" : "");
        for (const std::string& name : {std::string("plan"), launch})
            shapes.push_back(said_of({.box = box}, {.name = side.name(name)}));
        const double width = plan.cols + plan.gap, height = plan.rows + plan.gap;
        const double block = std::min(width * camera.cell(), height * camera.cell_height());
        if (block < least_block) {
            add_surface(box);
        } else {
            small = block < least_cells || std::min(camera.cell(), camera.cell_height()) < least_thread;
            small ? add_small_blocks() : add_blocks();
            add_selection();
            add_axis();
        }
        all.emplace_back(ShapeLayer{std::move(shapes)});
        all.emplace_back(LabelLayer{std::move(labels)});
        if (shows_results())
            add_results(box);
        return std::move(all);
    }

private:
    // Draws the whole grid as one surface if blocks are too small to be distinguished. Omits the empty end of a wrapped
    // last row.
    void add_surface(const Box& box)
    {
        const PlanPoint size = size_of(plan);
        const auto [low, high] = camera.to_screen({0, 0, size.x, size.y});
        shapes.push_back(box_shape({low, {std::max(high.x, low.x + 1), std::max(high.y, low.y + 1)}}, ground()));
        const Box seen{{std::max(low.x, box.min.x), std::max(low.y, box.min.y)},
                       {std::min(high.x, box.max.x), std::min(high.y, box.max.y)}};
        labels.push_back({.words = "blocks too small to draw: zoom in", .colour = theme.ink, .within = seen});
    }

    Colour ground() const { return mix(theme.panel, theme.ink, 0.2f); }

    // A block, or a thread of a block.
    struct Pointed {
        uint64_t block = 0;
        std::optional<uint32_t> thread = {};
    };
    using PointedAt = std::function<std::optional<Pointed>(uint32_t row, uint32_t col)>;
    // Returns cells with tips, which a click selects.
    CellLayer cells_in(const PanZoom::Rect& rect, uint32_t rows, uint32_t cols, const PointedAt& at) const
    {
        CellLayer cells{.rows = rows, .cols = cols, .box = camera.to_screen(rect)};
        cells.tip = [&of = side, at](uint32_t row, uint32_t col) {
            const Pointed place = *at(row, col);
            return point_words(of, place.block, place.thread);
        };
        cells.click = [&of = side, at](const ViewScene& scene, uint32_t row, uint32_t col) {
            const Pointed place = *at(row, col);
            of.select(scene, {place.block, place.thread.value_or(0)});
        };
        cells.bordered = false;
        return cells;
    }

    // Draws each visible block as a cell. The more surplus threads it has, the more amber it is.
    void add_small_blocks()
    {
        const double width = plan.cols + plan.gap, height = plan.rows + plan.gap;
        const uint32_t cols = last_col - first_col, rows = last_row - first_row;
        const auto at = [&of = plan, row = first_row, col = first_col](uint32_t down, uint32_t right) {
            const auto block = block_at(of, int64_t{row} + down, int64_t{col} + right);
            return block ? std::optional(Pointed{*block}) : std::nullopt;
        };
        CellLayer cells =
            cells_in({width * first_col, height * first_row, width * cols, height * rows}, rows, cols, at);
        cells.colour = [&of = side, face = ground(), amber = theme.warning, unknown = unknown_colour(theme),
                        at](uint32_t row, uint32_t col) {
            const auto place = at(row, col);
            if (place && is_left_out(of, place->block))
                return unknown;
            const IdleSet* const set = place ? of.idle_in(place->block) : nullptr;
            const auto threads = static_cast<float>(of.plan.launch.threads_per_block());
            return !place           ? Colour{0}
                   : set == nullptr ? face
                                    : mix(face, amber, 0.35f * static_cast<float>(set->count) / threads);
        };
        const auto name = [&of = plan, at](bool whole) {
            return [&of, at, whole](uint32_t row, uint32_t col) { return block_name(of, at(row, col)->block, whole); };
        };
        cells.words = name(true);
        cells.shorter = {name(false)};
        cells.widest = "(0,0)";
        all.emplace_back(std::move(cells));
    }

    void add_blocks()
    {
        const auto warps = std::make_shared<std::vector<Colour>>(); // of the cells of a block, row by row
        for (uint32_t place = 0; place < plan.rows * plan.cols; ++place) {
            const auto thread = thread_at(plan, {place / plan.cols, place % plan.cols});
            warps->push_back(thread ? warp_colour(theme, *thread / warp_size) : 0);
        }
        for (uint32_t row = first_row; row < last_row; ++row)
            for (uint32_t col = first_col; col < last_col; ++col)
                if (const auto block = block_at(plan, row, col)) {
                    all.emplace_back(threads_of(*block, warps));
                    add_name(*block);
                }
    }

    CellLayer threads_of(uint64_t block, const std::shared_ptr<std::vector<Colour>>& warps) const
    {
        const auto thread_of = [&of = plan, block](uint32_t row, uint32_t col) {
            return ThreadRef{block, *thread_at(of, {row, col})};
        };
        CellLayer cells =
            cells_in(rect_of_block(plan, block), plan.rows, plan.cols, [thread_of](uint32_t row, uint32_t col) {
                const ThreadRef thread = thread_of(row, col);
                return std::optional(Pointed{thread.block, thread.thread});
            });
        cells.name = side.name(fmt::format("block {}", block));
        cells.colour = [warps, thread_of, cols = plan.cols, set = side.idle_in(block),
                        unknown = is_left_out(side, block) ? unknown_colour(theme) : 0,
                        surplus = mix(theme.background, theme.warning, 0.25f)](uint32_t row, uint32_t col) {
            const Colour warp = (*warps)[row * cols + col];
            return warp != 0 && unknown != 0                                              ? unknown
                   : warp != 0 && set != nullptr && set->idle[thread_of(row, col).thread] ? surplus
                                                                                          : warp;
        };
        if (!numbered)
            return cells;
        // The results of the selected thread cover its words.
        const auto covered = [shown = shows_results(), &of = side](const ThreadRef& thread) {
            return shown && thread == of.selected;
        };
        cells.words = [thread_of, covered](uint32_t row, uint32_t col) {
            const ThreadRef thread = thread_of(row, col);
            return covered(thread) ? std::string() : fmt::format("{}", thread.thread);
        };
        for (const bool all_words : {true, false})
            cells.lines.emplace_back([&of = side, thread_of, covered, all_words](uint32_t row, uint32_t col) {
                const ThreadRef thread = thread_of(row, col);
                return covered(thread) ? std::vector<std::string>() : thread_lines(of, thread, all_words);
            });
        return cells;
    }

    // Adds the block's name: inside the block until its threads have numbers, then above it.
    void add_name(uint64_t block)
    {
        const Box place = camera.to_screen(rect_of_block(plan, block));
        const auto gap = static_cast<float>(camera.cell() * plan.gap);
        const float room = numbered ? place.width() + gap : place.width() - theme.px(10);
        const std::string names[] = {block_name(plan, block, true), block_name(plan, block, false)};
        const std::string words = draw::first_fitting(theme.mono_bold, room, names);
        const ImVec2 size = draw::measure(theme.mono_bold, words);
        if (!numbered && (size.x > room || size.y + theme.px(4) > place.height()))
            return;
        const ImVec2 above{place.min.x, place.min.y - theme.px(2) - size.y / 2};
        labels.push_back(words_at(numbered ? above : place.middle(),
                                  numbered ? Label::Side::right : Label::Side::middle, words,
                                  {.colour = theme.ink, .strong = true, .plate = !numbered, .must = true}));
    }

    void add_selection()
    {
        const auto frame = [&](const PanZoom::Rect& rect, float thick) {
            add_frame(shapes, theme, camera.to_screen(rect), theme.ink, thick);
        };
        frame(rect_of_block(plan, side.selected.block), 1.5f);
        if (camera.cell() < 2)
            return;
        const PanZoom::Rect thread = rect_of_thread(plan, side.selected);
        if (!small) { // otherwise the frames would strike the block's name
            for (const CellRect& rect : rects_of_warp(plan, side.warp()))
                frame(rect_of_cells(plan, side.selected.block, rect), 1.5f);
            frame(thread, 2);
        }
        shapes.push_back(
            said_of({.box = camera.to_screen(thread)}, {.name = side.name("thread"), .value = side.selected.thread}));
    }

    // Adds an arrow in the direction in which threadIdx.x counts: in the selected block, or after the block's name above
    // it if its threads have words.
    void add_axis()
    {
        const Box block = camera.to_screen(rect_of_block(plan, side.selected.block));
        const std::string name = block_name(plan, side.selected.block, true), axis_names[] = {"threadIdx.x", "x"};
        const float line = draw::line_height(theme.mono), gap = theme.px(6), length = numbered ? line : theme.px(36);
        const float before = numbered ? draw::measure(theme.mono_bold, name).x + 2 * gap : gap;
        const bool down = plan.swapped;
        const float room = block.width() - before - (down ? 0 : length) - 3 * gap;
        const std::string words = draw::first_fitting(theme.mono, room, axis_names);
        if (draw::measure(theme.mono, words).x > room || block.height() < 3 * line)
            return;
        const float y = numbered ? block.min.y - line - theme.px(1) : block.min.y + gap;
        const ImVec2 from{block.min.x + before, y + (down ? 0 : line / 2)};
        add_axis_arrow(shapes, theme, from, length, down);
        shapes.push_back(
            said_of({.box = draw::around(from, gap)}, {.name = side.name(down ? "x downwards" : "x to the right")}));
        labels.push_back(words_at({from.x + (down ? 0 : length) + 2 * gap, y + line / 2}, Label::Side::right, words,
                                  {.colour = theme.ink, .plate = true, .mono = true}));
    }

    // Returns false if the thread's own words name its only result, or if names do not fit.
    bool shows_results() const
    {
        if (results->cells.empty() || side.recording->arrays.size() < 3 ||
            (results->cells.size() == 1 && products_of(*side.recording) < 2))
            return false;
        return camera.to_screen(results->rect({})).width() - 1 >= draw::measure(theme.mono, "C(0, 0)").x;
    }

    void add_results(const Box& box)
    {
        const Box first = camera.to_screen(results->rect({})), thread = camera.to_screen(results->thread);
        const auto rows = static_cast<uint32_t>(results->rows.size()),
                   cols = static_cast<uint32_t>(results->cols.size());
        MatrixLayer matrix{
            .frame = {first.min, first.width(), plain_shape(rows, cols), first.height() / first.width()}};
        std::vector<Cell> places;
        for (const Cell& cell : results->cells)
            places.push_back({results->place_of(cell).row, results->place_of(cell).col});
        const auto face = [&](float share) { return mix(theme.panel, theme.accent(), share); };
        matrix.parts.push_back({cover(std::move(places)), face(0.45f)});
        ShapeLayer over;
        if (side.chosen) {
            const CellRect place = results->place_of(*side.chosen);
            matrix.parts.push_back({{place}, face(0.8f)});
            add_frame(over.shapes, theme, matrix.frame.box_of(place), theme.ink, 2);
        }
        matrix.tip = [&of = side, all = results](const Cell& place) {
            const auto element = all->element_at(place);
            return element ? result_words(of, *element) : Rich();
        };
        matrix.click = [all = results](const Cell& place) -> Action {
            const auto element = all->element_at(place);
            if (!element)
                return {};
            return [element](const ViewScene& scene) { scene.selection.c = {element->row, element->col}; };
        };
        LabelLayer words{{{.words = path_steps(side)[3].words,
                           .colour = theme.ink,
                           .strong = true,
                           .within = Box{thread.min, {thread.max.x, first.min.y}}}}};
        const float least = draw::line_height(theme.heading) + theme.px(6);
        const bool sums = products_of(*side.recording) >= 2 && first.height() >= 4 * least + theme.px(12) &&
                          first.width() >= longest_term(theme, *side.recording) + theme.px(20);
        const auto ink = [&of = side, own = ink_on(face(0.8f)), other = ink_on(face(0.45f))](const Cell& element) {
            return of.chosen == element ? own : other;
        };
        if (sums)
            draw::each_element(matrix.frame, box, [&](const Cell& place, const Box& at) {
                if (const auto element = results->element_at(place))
                    add_sum({*element, at, ink(*element)}, over.shapes, words.labels);
            });
        else
            matrix.value = [&of = side, all = results, ink](const Cell& place) {
                const auto element = all->element_at(place);
                return element ? draw::NamedValue{result_name(of, *element),
                                                  result_value(of, *element, all->cells.size()), ink(*element)}
                               : draw::NamedValue{};
            };
        all.emplace_back(ShapeLayer{{box_shape(thread, theme.background)}});
        all.emplace_back(std::move(matrix));
        all.emplace_back(std::move(over));
        all.emplace_back(std::move(words));
    }

    struct Sum {
        Cell element;
        Box box;
        Colour ink = 0;
    };
    // Adds the element's name and value, and below them each product.
    void add_sum(const Sum& sum, std::vector<Shape>& marks, std::vector<Label>& words) const
    {
        const float line = draw::line_height(theme.heading) + theme.px(6);
        const Box below{{sum.box.min.x + theme.px(10), sum.box.min.y + line + theme.px(6)},
                        {sum.box.max.x - theme.px(10), sum.box.max.y - theme.px(6)}};
        const std::string name = result_name(side, sum.element), value = result_value(side, sum.element, 1);
        words.push_back(words_at({below.min.x, sum.box.min.y + theme.px(4) + draw::line_height(theme.heading) / 2},
                                 Label::Side::right,
                                 value.empty() ? name + " =" : fmt::format("{} = {} =", name, value),
                                 {.colour = sum.ink, .must = true, .large = true}));
        for (Label& term : sum_terms(theme, below, {*side.recording, sum.element, sum.ink})) {
            term.must = true; // the camera may clip it
            words.push_back(std::move(term));
        }
        marks.push_back(said_of({.box = below}, {.name = side.name("sum of " + name)}));
    }

    const LaunchSide& side;
    const Plan& plan;
    const PanZoom& camera;
    const Theme& theme;
    std::shared_ptr<const Results> results;
    bool small = false;    // blocks are cells, without their threads
    bool numbered = false; // threads are large enough for their numbers
    uint32_t first_row = 0, last_row = 0, first_col = 0,
             last_col = 0; // the visible blocks, end exclusive
    std::vector<Layer> all{};
    std::vector<Shape> shapes{};
    std::vector<Label> labels{};
};

float chip_height(const Theme& theme)
{
    return draw::row_height(theme, 6, theme.mono);
}

} // namespace

PanZoom::Rect rect_of_result(const LaunchSide& side, const Cell& element)
{
    const Results results(side);
    return results.rect(results.place_of(element));
}

float path_height(const Theme& theme)
{
    return chip_height(theme) + theme.px(4);
}

Panel path_panel(const Theme& theme, const LaunchSide& side, const Box& box)
{
    const std::array<PathStep, 5> steps = path_steps(side);
    float pad = theme.px(8), gap = theme.px(14);
    const auto too_wide = [&](std::string PathStep::*words) {
        float width = -gap;
        for (const PathStep& step : steps)
            width += draw::measure(theme.mono, step.*words).x + 2 * pad + gap;
        return width > box.width();
    };
    std::string PathStep::*const words = too_wide(&PathStep::words) ? &PathStep::brief : &PathStep::words;
    if (too_wide(words)) // reduces the gaps
        pad = theme.px(3), gap = theme.px(12);
    ShapeLayer chips;
    LabelLayer labels;
    float x = box.min.x;
    for (int i = 0; const PathStep& step : steps) {
        const float end = x + draw::measure(theme.mono, step.*words).x + 2 * pad;
        const Box chip{{x, box.min.y}, {std::min(end, box.max.x), box.min.y + chip_height(theme)}};
        const bool here = i == side.level;
        if (i > 0)
            labels.labels.push_back(words_at({x - gap / 2, chip.middle().y}, Label::Side::middle, ">",
                                             {.colour = theme.ink_faint, .mono = true}));
        labels.labels.push_back(
            {.words = step.*words, .colour = here ? theme.ink : theme.ink_quiet, .mono = true, .within = chip});
        chips.shapes.push_back(said_of(
            {.box = chip, .fill = here ? mix(theme.panel, theme.ink, 0.18f) : theme.panel, .radius = 4},
            {.name = side.name(fmt::format("path {}", i)),
             .tip = [&side] { return path_words(side); },
             .click = i < 4 || side.recording ? Action([&side, i](const ViewScene& scene) { side.go_to(scene, i); })
                                              : Action()}));
        x = end + gap;
        ++i;
    }
    return {.id = side.name("path"), .box = box, .layers = {std::move(chips), std::move(labels)}, .is_picture = false};
}

Box plan_box(const Theme& theme, const Box& box)
{
    const float name = std::ceil(draw::line_height(theme.mono_bold) + theme.px(3)), edge = 2; // of the frames
    return {{std::round(box.min.x) + edge, std::round(box.min.y + name)},
            {std::floor(box.max.x) - edge, std::floor(box.max.y) - edge}};
}

Panel plan_panel(const Theme& theme, const LaunchSide& side, const Box& box)
{
    return {.id = side.column != nullptr ? stage_panel(*side.column) : "typed launch",
            .box = box,
            .layers = PlanPicture(side, theme).layers(plan_box(theme, box)),
            .camera = &side.camera};
}

} // namespace viz
