// The reuse view: the threads that load and use one element of A and of B, the loads that a thread tile saves, and
// working sets compared with L1.
#include "viz/analysis/comparison.h"
#include "viz/analysis/gpu_levels.h"
#include "viz/analysis/timeline.h"
#include "viz/draw/controls.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"
#include "viz/view_options.h"
#include "viz/views/45_reuse/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace viz {

std::unique_ptr<View> make_reuse_view();

namespace {

using recording::warp_size;

std::string in_round(double value)
{
    return plain(rich("{}", rounded(value)));
}

// The memory of A and B that a warp, a block and an SM use, beside the size of L1 and its counted hits. Two panels, one
// below the other. Requires at least one stage.
class WorkingSetPanels {
public:
    WorkingSetPanels(const ViewFrame& of, std::span<const ReuseStage> shown) : frame(of), theme(of.theme), stages(shown)
    {
    }

    void add_to(Figure& figure, const Box& place) const
    {
        const uint64_t l1 = l1_bytes();
        const float hits = (1 + static_cast<float>(stages.size())) * draw::row_height(theme, 6);
        const std::vector<Box> parts = rows(place, {share_of_rest(), pixels(hits)}, theme.px(4));
        BarLayer bars{.name = "set", .on_ground = true};
        const auto add = [&](const char* name, auto bytes_of, Rich said) {
            BarLayer::Bar bar{.name = name, .tip = said_tip(std::move(said))};
            for (const ReuseStage& one : stages)
                if (const WorkingSet& set = one.reuse().working_set; set.k > 0) {
                    const uint64_t bytes = bytes_of(set);
                    const bool over = l1 > 0 && bytes > l1;
                    bar.parts.push_back({one.stage.slug,
                                         bytes > 0 ? std::optional(static_cast<double>(bytes)) : std::nullopt,
                                         bytes_words(static_cast<double>(bytes)),
                                         over ? theme.warning : theme.accent(one.stage.number)});
                }
            bars.bars.push_back(std::move(bar));
        };
        add(
            "warp", [](const WorkingSet& set) { return set.warp; },
            rich("Of A and B, in whole sectors: what the busiest warp touches of global memory meanwhile."));
        add(
            "block", [](const WorkingSet& set) { return set.block; },
            rich("Of A and B, in whole sectors: what the block touches of global memory meanwhile."));
        const bool known = stages.front().reuse().working_set.blocks > 0;
        add(
            "SM", [](const WorkingSet& set) { return set.sm(); },
            known ? rich("At most, with all blocks that are resident on an SM; what two of them share counts twice.")
                  : rich("How many blocks an SM holds is not known: this was recorded on the CPU."));
        BarLayer::Bar cache{.name = "L1"};
        const WorkingSet& first = stages.front().reuse().working_set;
        const uint64_t taken = first.tiles * std::max(first.blocks, 1u);
        cache.parts = {{"", l1 > 0 ? std::optional(static_cast<double>(l1)) : std::nullopt,
                        bytes_words(static_cast<double>(l1)), mix(theme.panel, theme.ink, 0.25f),
                        static_cast<double>(std::min(taken, l1))}};
        cache.tip = said_tip(
            l1 > 0 ? rich("**{}** of an SM are L1 and shared memory together; {} of them are tiles of resident blocks.",
                          bytes(static_cast<double>(l1)), bytes(static_cast<double>(taken)))
                   : rich("The size of L1 is not known. {}", in_sentences(frame.ladder_facts.gpu.not_here)));
        bars.bars.push_back(std::move(cache));
        figure.panels.push_back({.id = "working set",
                                 .box = parts[0],
                                 .title = touched_title(),
                                 .origin = NumberOrigin::derived,
                                 .layers = {std::move(bars)}});
        add_hits(figure, parts[1]);
    }

private:
    // Returns the size of the memory that L1 and shared memory share; 0 if not known.
    uint64_t l1_bytes() const
    {
        if (frame.ladder_facts.gpu.properties)
            for (const MemoryLevel& level : memory_levels(*frame.ladder_facts.gpu.properties, nullptr))
                if (level.name == "L1")
                    return level.bytes;
        return 0;
    }

    // Names the time span: a k-tile, or without tiles a sector of A.
    std::string touched_title() const
    {
        const uint32_t k = stages.front().reuse().working_set.k;
        const bool same =
            std::ranges::all_of(stages, [&](const ReuseStage& one) { return one.reuse().working_set.k == k; });
        return same ? fmt::format("touched for {} values of k", k) : "touched for one k-tile";
    }

    // Shows counted L1 hits. The line marks the requests that the block repeats, the most that L1 could hit.
    void add_hits(Figure& figure, const Box& place) const
    {
        BarLayer bars{.name = "hits", .most = 1, .on_ground = true};
        std::set<std::string> sizes;
        for (const ReuseStage& one : stages) {
            const WorkingSet& set = one.reuse().working_set;
            const HardwareFigures* const counted = one.counted();
            const std::optional<double> hits = counted != nullptr ? counted->l1_hits : std::nullopt;
            if (hits)
                sizes.insert(size_words(counted->problem));
            const bool evicted = hits && reuse_in_l1(set, *hits) == L1Reuse::evicted;
            bars.bars.push_back(
                {.name = stages.size() > 1 ? one.stage.slug : "L1",
                 .parts = {{"", hits, hits ? percent(*hits) : "", evicted ? theme.warning : theme.good}},
                 .limits = {{.name = "again:" + one.stage.slug, .value = set.again()}},
                 .tip = said_tip(joined({hits_words(set, hits), hits_said(one.rung)}))});
        }
        const std::string title = sizes.empty()       ? "L1 hits, not counted"
                                  : sizes.size() == 1 ? "L1 hits at " + *sizes.begin()
                                                      : "L1 hits";
        figure.panels.push_back({.id = "L1 hits",
                                 .box = place,
                                 .title = title,
                                 .origin = NumberOrigin::counter,
                                 .layers = {std::move(bars)}});
    }

    // Uses the largest counted launch. In a small launch L1 holds everything.
    static Rich hits_said(const StageFacts* rung)
    {
        if (const HardwareFigures* const counted = largest_counted(rung))
            return rich("Counted at {}, {}.", size_words(counted->problem), how_had(counted->from));
        return rung != nullptr && !rung->not_counted.empty() ? rich(in_sentences(rung->not_counted))
                                                             : rich("The view \"Global memory\" has the GPU count it.");
    }

    static Rich hits_words(const WorkingSet& set, const std::optional<double>& hits)
    {
        if (!hits)
            return rich(
                "**{}** of the sectors that a block asks for, it asks for again. How many L1 had was not counted.",
                share(set.again()));
        switch (reuse_in_l1(set, *hits)) {
        case L1Reuse::nothing_again:
            return rich("The block asks for each sector once. L1 had **{}**, of what other blocks had asked for.",
                        share(*hits));
        case L1Reuse::kept:
            return rich("The block asks for **{}** of its sectors again. L1 had **{}**: they were still there.",
                        share(set.again()), share(*hits));
        case L1Reuse::evicted: break;
        }
        return rich("The block asks for **{}** of its sectors again. L1 had only **{}**: the rest was evicted before.",
                    share(set.again()), share(*hits));
    }

    const ViewFrame& frame;
    const Theme& theme;
    std::span<const ReuseStage> stages;
};

class ReuseFigure {
public:
    ReuseFigure(const ViewFrame& of, const Box& place, bool of_sizes)
        : frame(of), theme(of.theme), box(place), sizes(of_sizes)
    {
    }

    Figure make()
    {
        figure.numbers = {{Numbers::How::recorded, "accesses"}, {Numbers::How::derived, "reads per value"}};
        for (const StageColumn& stage : frame.columns)
            add_stage(stage);
        for (const ReuseStage& one : stages)
            explain(one);
        const float gap = theme.px(12), charts = std::clamp(box.height() * 0.4f, theme.px(150), theme.px(260));
        const Box above{box.min, {box.max.x, box.max.y - ImGui::GetFrameHeight() - theme.px(4)}};
        const std::vector<Box> parts = rows(above, {share_of_rest(), pixels(charts)}, gap);
        const std::vector<Box> places =
            add_headings(figure, frame, parts[0], [this](const StageColumn& stage) { return headline_of(stage); });
        if (sizes && !stages.empty()) {
            draw_tile_sizes({{box.min.x, places.front().min.y}, above.max});
            return std::move(figure);
        }
        for (const ReuseStage& one : stages)
            draw_stage(one, places[static_cast<std::size_t>(&one.stage - frame.columns.data())]);
        if (!stages.empty())
            draw_charts(parts[1]);
        else if (figure.settled)
            figure.panels.push_back(
                words_panel("nothing to follow", {{box.min.x, places.front().min.y}, above.max},
                            joined({rich("*Nothing to follow.* This view follows elements of A and B into a product."),
                                    rich("The view of global memory shows what each array's requests move.")})));
        return std::move(figure);
    }
    bool empty() const { return stages.empty(); }

private:
    // Adds a stage. Its ReuseStage is missing if there is nothing to follow.
    void add_stage(const StageColumn& stage)
    {
        const Focus focus = focus_on(frame, stage);
        const std::optional<Reuse>* known = focus.block ? reuse_in(stage, *focus.block) : nullptr;
        figure.settled = figure.settled && (known != nullptr || !focus.block);
        if (known == nullptr || !*known)
            return;
        ReuseStage one{stage,
                       focus,
                       {*stage.recording, *focus.block, **known},
                       frame.ladder_facts.of(*stage.recording),
                       {.first = focus.step, .count = 1}};
        // Without tiles there is only one phase, and the step says more.
        const std::vector<Phase> all = focus.warp ? phases(one.shown.recording, *focus.warp) : std::vector<Phase>();
        if (!all.empty() && one.tiles())
            one.now = phase_at(all, focus.step);
        stages.push_back(one);
    }

    const ReuseStage* find(const StageColumn& stage) const
    {
        const auto found = std::ranges::find_if(stages, [&](const ReuseStage& one) { return &one.stage == &stage; });
        return found == stages.end() ? nullptr : &*found;
    }

    static std::optional<double> merged(const ReuseStage& one)
    {
        return merged_share(one.shown.recording, counted_at(one.rung, one.shown.recording.problem));
    }

    void explain(const ReuseStage& one)
    {
        figure.said.push_back(reads_paragraph(one.shown));
        if (const auto part = merged(one))
            figure.said.push_back(
                rich("*As written*: the compiler merges loads of shared memory. As executed they take "
                     "**{}** of the wavefronts.",
                     share(*part)));
        if (one.counted() != nullptr)
            figure.numbers.push_back({Numbers::How::counted, "caches, DRAM", one.counted()->from});
    }

    Rich headline_of(const StageColumn& stage) const
    {
        const ReuseStage* const one = find(stage);
        if (one == nullptr) {
            const Focus focus = focus_on(frame, stage);
            if (!focus.block)
                return rich("{}", focus.why);
            if (!figure.settled)
                return rich("following the reads ...");
            return computes(*stage.recording) == Computes::unknown
                       ? rich("{} has no matrices known as A and B", stage.slug)
                       : rich("{} multiplies no A and B", stage.slug);
        }
        if (sizes)
            return largest_tile_words(tiles_of(*one, frame.ladder_facts, theme));
        const OperandReuse& a = one->reuse().operands[0];
        const double loads = a.from_global();
        const Value loaded = Value(in_round(loads) + (loads == 1 ? " time" : " times"))
                                 .as(loads > 1.005 ? Meaning::conflict : Meaning::good);
        if (!one->tiles())
            return rich("a block loads {} {}", one->name_of(a), loaded);
        return rich("a block loads {} {}, reads it {}{}", one->name_of(a), loaded,
                    Value(in_round(a.from_shared()) + " times").as(Meaning::strong),
                    merged(*one) ? ", as written" : "");
    }

    void draw_stage(const ReuseStage& one, const Box& place)
    {
        const std::vector<Box> bands = rows(place, {share_of_rest(), share_of_rest()}, theme.px(6));
        for (const OperandReuse& operand : one.reuse().operands)
            if (operand.band.rows > 0 && operand.band.cols > 0)
                draw_users(one, operand, bands[operand.array]);
    }

    // Returns the element of C whose row of A and column of B are followed: the selected one, or else the first one of
    // the selected thread.
    static Cell wanted_result(const ViewFrame& frame, const ReuseStage& one, const std::vector<OwnedCell>& owned)
    {
        if (frame.selection.c)
            return {frame.selection.c->first, frame.selection.c->second};
        const uint32_t thread = one.focus.warp_index * warp_size + frame.selection.lane;
        const auto own = std::ranges::find(owned, thread, &OwnedCell::thread);
        return own != owned.end() ? own->cell : owned.empty() ? Cell{} : owned.front().cell;
    }

    // Shows one element: the threads that load it, those that read it from a shared tile, and the results that use it.
    void draw_users(const ReuseStage& one, const OperandReuse& operand, const Box& place)
    {
        const auto& owned = one.stage.memo<owned_by_block>(*one.focus.block);
        const Cell element = followed_element(one.reuse(), operand, wanted_result(frame, one, owned), one.now.first,
                                              one.now.first + one.now.count - 1);
        const bool multiplies = one.reuse().uses(operand) >= 1; // false for a kernel that only adds
        const std::size_t count = 1 + (one.tiles() ? 1 : 0) + (multiplies ? 1 : 0);
        const std::vector<Box> places = columns(place, count, theme.px(12));
        std::size_t next = 0;
        draw_threads(one, operand, element, false, places[next++]);
        if (one.tiles())
            draw_threads(one, operand, element, true, places[next++]);
        if (multiplies)
            draw_results(one, operand, element, owned, places[next]);
    }

    // Draws a row for each warp with a cell for each lane.
    void draw_threads(const ReuseStage& one, const OperandReuse& operand, Cell element, bool shared, const Box& place)
    {
        const ThreadSets& sets = shared ? operand.shared_threads : operand.global_threads;
        const std::size_t at = operand.index_of(element);
        const uint32_t reads = (shared ? operand.shared : operand.global)[at];
        const std::string name = fmt::format("{}({}, {})", one.name_of(operand), element.row, element.col);
        const Colour lit = theme.accent(one.stage.number), empty = draw::empty_colour(theme);
        CellLayer cells{.name = fmt::format("threads:{} {} {}", one.stage.slug, operand.array == array_A ? "A" : "B",
                                            shared ? "shared" : "global"),
                        .rows = (sets.threads() + warp_size - 1) / warp_size,
                        .cols = std::min<uint32_t>(sets.threads(), warp_size)};
        cells.colour = [&sets, at, lit, empty](uint32_t warp, uint32_t lane) {
            return sets.has(at, warp * warp_size + lane) ? lit : empty;
        };
        cells.value = [&sets, at](uint32_t warp, uint32_t lane) {
            return sets.has(at, warp * warp_size + lane) ? 1 : 0;
        };
        cells.tip = [&sets, at, name, shared](uint32_t warp, uint32_t lane) {
            const bool reads_it = sets.has(at, warp * warp_size + lane);
            return rich("Warp {}, lane {} {} {} {} memory.", index(warp), index(lane),
                        reads_it ? "reads" : "does not read", name, shared ? "from shared" : "from global");
        };
        cells.click = [](const ViewScene& scene, uint32_t warp, uint32_t lane) {
            scene.selection.warp = warp;
            scene.selection.lane = lane;
        };
        cells.frames = {{.row = one.focus.warp_index, .col = frame.selection.lane, .colour = theme.ink}};
        LabelLayer axes = warps_and_lanes(cells, place);
        const bool waste = !shared && reads > 1;
        const Value number = Value(counted(reads, "read")).as(waste ? Meaning::conflict : Meaning::strong);
        add_panel(one,
                  {.box = place,
                   .title = (shared ? "shared: " : "global: ") + name,
                   .shorter = {(shared ? "shared " : "global ") + one.name_of(operand)},
                   .figure = rich("**{}**", number)},
                  std::move(cells));
        figure.panels.back().layers.emplace_back(std::move(axes));
    }

    // Returns the names of rows (warps) and columns (lanes), and makes room for them. Does nothing if cells need the
    // room.
    LabelLayer warps_and_lanes(CellLayer& cells, const Box& place) const
    {
        LabelLayer names;
        const float line = draw::line_height(theme.mono), left = draw::measure(theme.mono, "warp 00").x + theme.px(6);
        Box area = below_title(theme, place);
        if (area.width() < 4 * left || area.height() < 5 * line)
            return names;
        area = {{area.min.x + left, area.min.y}, {area.max.x, area.max.y - line - theme.px(2)}};
        cells.box = area;
        const float high = area.height() / static_cast<float>(cells.rows),
                    across = area.width() / static_cast<float>(cells.cols);
        const auto every = static_cast<uint32_t>(std::ceil((line + theme.px(1)) / high));
        for (uint32_t warp = 0; warp < cells.rows; warp += every)
            names.labels.push_back(
                mono_label(warp == 0 ? "warp 0" : std::to_string(warp),
                           {area.min.x - theme.px(6), area.min.y + high * (static_cast<float>(warp) + 0.5f)},
                           theme.ink_quiet, Label::Side::left));
        const float below = area.max.y + theme.px(2) + line / 2;
        names.labels.push_back(mono_label("lane 0", {area.min.x, below}, theme.ink_quiet, Label::Side::right));
        for (uint32_t lane = 8; lane < cells.cols; lane += 8)
            names.labels.push_back(mono_label(std::to_string(lane),
                                              {area.min.x + across * (static_cast<float>(lane) + 0.5f), below},
                                              theme.ink_quiet, Label::Side::middle));
        return names;
    }

    void draw_results(const ReuseStage& one, const OperandReuse& operand, Cell element,
                      const std::vector<OwnedCell>& owned, const Box& place)
    {
        std::optional<CellRect> tile;
        std::vector<Cell> own; // of the selected thread
        for (const OwnedCell& result : owned) {
            grow(tile, result.cell);
            if (result.thread == one.focus.warp_index * warp_size + frame.selection.lane)
                own.push_back(result.cell);
        }
        if (!tile)
            return;
        const bool of_a = operand.array == array_A;
        const uint32_t line = of_a ? element.row - tile->row : element.col - tile->col;
        if (line >= (of_a ? tile->rows : tile->cols))
            return; // no result of the block uses it
        const Colour lit = theme.accent(one.stage.number), empty = draw::empty_colour(theme);
        CellLayer cells{.name = fmt::format("results:{} {}", one.stage.slug, of_a ? "A" : "B"),
                        .rows = tile->rows,
                        .cols = tile->cols};
        cells.colour = [=](uint32_t row, uint32_t col) { return (of_a ? row : col) == line ? lit : empty; };
        cells.tip = [from = *tile](uint32_t row, uint32_t col) {
            return rich("C({}, {})", index(from.row + row), index(from.col + col));
        };
        cells.click = [from = *tile](const ViewScene& scene, uint32_t row, uint32_t col) {
            scene.selection.c = {from.row + row, from.col + col};
        };
        // Frames the line in its own colour, so that it is visible even if cells are thinner than a pixel.
        cells.frames = {{of_a ? line : 0, of_a ? 0 : line, of_a ? 1 : tile->rows, of_a ? tile->cols : 1, lit, 1}};
        for (const CellRect& rect : cover(own))
            cells.frames.push_back({rect.row - tile->row, rect.col - tile->col, rect.rows, rect.cols, theme.ink, 1});
        add_panel(one,
                  {.box = place,
                   .title = "goes into C",
                   .shorter = {"into C"},
                   .figure = rich("**{}** results", of_a ? tile->cols : tile->rows)},
                  std::move(cells));
    }

    void add_panel(const ReuseStage& one, Panel panel, CellLayer cells)
    {
        panel.id = fmt::format("{} of {}", cells.name, one.stage.slug);
        panel.layers.emplace_back(std::move(cells));
        figure.panels.push_back(std::move(panel));
    }

    void draw_tile_sizes(const Box& place)
    {
        std::vector<TilesOfStage> all;
        for (const ReuseStage& one : stages) {
            all.push_back(tiles_of(one, frame.ladder_facts, theme));
            figure.said.push_back(scheme_words(all.back()));
        }
        add_tile_sizes(figure, theme, all, place);
    }

    void draw_charts(const Box& place)
    {
        const bool multiplies =
            std::ranges::any_of(stages, [](const ReuseStage& one) { return !is_vector(one.shown.recording.problem); });
        const bool with_set =
            std::ranges::any_of(stages, [](const ReuseStage& one) { return one.reuse().working_set.k > 0; });
        std::vector<Track> rooms(multiplies ? 2 : 0, share_of_rest());
        if (with_set)
            rooms.push_back(share_of_rest());
        if (rooms.empty())
            return;
        const std::vector<Box> places = columns(place, rooms, theme.px(16));
        if (multiplies) {
            figure.panels.push_back(loads_panel(theme, stages, places[0]));
            draw_intensity(places[1]);
        }
        if (with_set)
            WorkingSetPanels(frame, stages).add_to(figure, places.back());
    }

    // Shows arithmetic intensity by the side of a square thread tile of the same reuse: by formula, recorded and counted
    // at each level.
    void draw_intensity(const Box& place)
    {
        const double bytes = stages.front().shown.element_bytes();
        std::vector<recording::Problem> problems{stages.front().shown.recording.problem};
        CurveLayer chart{.name = "chart:intensity",
                         .right = {.least = 1, .most = 16, .base = 2, .title = "side of a thread's tile"},
                         .up = {.least = 1 / bytes, .most = 16 / bytes, .base = 4, .title = "FLOP per byte"}};
        for (const ReuseStage& one : stages) {
            CurveLayer::Curve points{one.stage.slug, {}, theme.accent(one.stage.number), 0, 5};
            const auto label = [](const LevelIntensity& level) { // the others are named in their tips
                return level.level == "DRAM" && !level.recorded             ? "DRAM at " + size_words(level.counted_at)
                       : level.level == "shared" || level.level == "global" ? level.level
                                                                            : std::string();
            };
            for (const LevelIntensity& level : intensities_of(one.shown, one.rung))
                if (const CellRect& tile = one.reuse().reader_tile; tile.rows > 0 && tile.cols > 0) {
                    if (!level.recorded && std::ranges::find(problems, level.counted_at) == problems.end())
                        problems.push_back(level.counted_at);
                    const double side = 2 / tile_loads(tile.rows, tile.cols);
                    chart.right.most = std::max(chart.right.most, 2 * side);
                    if (one.reuse().tensor_cores)
                        chart.right.title = "side of a warp's tile";
                    points.points.push_back({side, level.recorded ? *level.recorded : *level.counted,
                                             fmt::format("intensity:{} {}", one.stage.slug, level.level), label(level),
                                             [level, slug = one.stage.slug] { return level_words(slug, level); }});
                }
            for (const CurveLayer::Point& point : points.points) {
                chart.up.most = std::max(chart.up.most, 2 * point.up);
                chart.up.least = point.up > 0 ? std::min(chart.up.least, point.up / 2) : chart.up.least;
            }
            chart.curves.push_back(std::move(points));
        }
        // A point can be compared only with the limit of its own size.
        for (const recording::Problem& problem : problems) {
            const double once = best_intensity(problem, stages.front().shown.element_bytes());
            const std::string at = "at " + size_words(problem);
            chart.limits.push_back({"once " + at, once, theme.border, "A and B once " + at});
            chart.up.most = std::max(chart.up.most, 4 * once); // leaves room for its words
        }
        add_formulas(chart, stages.front(), theme);
        figure.panels.push_back({.id = "intensity", .box = place, .layers = {std::move(chart)}});
    }

    // For StageColumn::memo.
    static std::vector<OwnedCell> owned_by_block(const recording::Recording& recording,
                                                 const recording::BlockTrace& block)
    {
        return cells_of_block(recording, linear_of(block.block, recording.launch.grid));
    }

    const ViewFrame& frame;
    const Theme& theme;
    Box box;
    bool sizes; // shows sizes of tiles instead of the readers of an element
    std::vector<ReuseStage> stages;
    Figure figure;
};

struct ReuseOptions {
    bool sizes = false;
};

void fields(auto& visit, kernels::Like<ReuseOptions> auto& options)
{
    visit("sizes", options.sizes);
}

class ReuseView final : public View {
public:
    std::string_view name() const override { return "reuse"; }
    std::string_view title() const override { return "Reuse"; }
    ViewGroup group() const override { return ViewGroup::speed; }
    ViewCommands commands() override
    {
        return {{"v", "sizes of tiles from 4 to 128, or who reads one element",
                 [this](const ViewScene&) { chosen.sizes = !chosen.sizes; }}};
    }
    Figure figure(const ViewFrame& frame, const Box& box) override
    {
        controls_place = Box{{box.min.x, box.max.y - ImGui::GetFrameHeight()}, box.max};
        ReuseFigure made(frame, box, chosen.sizes);
        Figure shown = made.make();
        if (made.empty())
            controls_place.reset();
        return shown;
    }
    void draw_controls(ViewFrame& frame) override
    {
        if (!controls_place)
            return;
        draw::Controls row(frame, *controls_place);
        row.align_right({"sizes of tiles"});
        if (row.choice("sizes of tiles", chosen.sizes, {.mark = "sizes"}))
            chosen.sizes = !chosen.sizes;
    }
    std::string options() const override { return text_of_options(chosen); }
    void set_options(std::string_view text) override { chosen = options_of<ReuseOptions>(text); }

private:
    ReuseOptions chosen;
    std::optional<Box> controls_place; // in the last figure; empty if nothing is shown
};

} // namespace

std::unique_ptr<View> make_reuse_view()
{
    return std::make_unique<ReuseView>();
}

} // namespace viz
