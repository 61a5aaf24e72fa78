// The shared memory view: how the 32 banks serve the current access, and the cost of every shared access of the block.
#include "viz/draw/camera.h"
#include "viz/draw/controls.h"
#include "viz/draw/rich_text.h"
#include "viz/figure/access_diagram.h"
#include "viz/figure/draw_figure.h"
#include "viz/figure/layout.h"
#include "viz/figure/sector_panel.h"
#include "viz/text/figures.h"
#include "viz/views/30_banks/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>

namespace viz {

std::unique_ptr<View> make_banks_view();

namespace {

using Shown = std::shared_ptr<const ShownAccess>;

// The visible steps of the heatmaps. Their number is the same for all compared stages. Each heatmap follows the step of
// its own stage, because racing stages are at different steps.
class HeatWindow {
public:
    using Limits = TimeWindow::Limits; // in steps

    const TimeWindow& of(std::size_t column) const { return windows_[column]; }

    // Keeps the current step visible. A k-tile, `page` steps long, stays in place until the next one begins. K-tiles
    // are alike, so the picture hardly changes as time passes.
    void follow(std::size_t column, std::size_t step, const std::vector<std::size_t>& pages, double page,
                const Limits& limits)
    {
        TimeWindow& window = windows_[column];
        const double seen = std::clamp(by_page_ ? page : window.span(), limits.least, limits.whole);
        const double at = static_cast<double>(step);
        if (followed_[column] != step) {
            followed_[column] = step;
            const auto after = std::ranges::upper_bound(pages, step);
            const double first = after == pages.begin() ? 0 : static_cast<double>(*std::prev(after));
            if (by_page_ && at + 1 <= first + seen)
                window.from = first;
            else if (at < window.from + seen * 0.05 || at + 1 > window.from + seen * 0.95)
                window.from = at - seen / 3;
        }
        window.until = window.from + seen;
        window.move(0, limits);
    }

    // Zooms around a step in this column; the other columns get the same zoom. A factor of 0 shows all steps.
    void zoom(double factor, std::size_t column, double around, const Limits& limits)
    {
        by_page_ = false;
        const double part = (around - windows_[column].from) / windows_[column].span();
        for (TimeWindow& window : windows_)
            if (factor == 0)
                window.show_all(limits);
            else
                window.zoom(factor, window.from + part * window.span(), limits);
    }

    // Handles the mouse on the last ImGui item, which shows steps between two horizontal positions.
    void use_mouse(std::size_t column, float left, float right, const Limits& limits)
    {
        const TimeWindow before = windows_[column];
        windows_[column].use_mouse(left, right, limits);
        const TimeWindow now = windows_[column];
        by_page_ = by_page_ && std::abs(now.span() - before.span()) < 1e-6;
        for (std::size_t i = 0; i < windows_.size(); ++i)
            if (i != column) {
                windows_[i].from += now.from - before.from;
                windows_[i].until = windows_[i].from + now.span();
                windows_[i].move(0, limits);
            }
    }

private:
    bool by_page_ = true; // one k-tile is visible, until the user zooms
    std::array<TimeWindow, most_columns> windows_;
    std::array<std::optional<std::size_t>, most_columns> followed_; // the last step that was made visible
};

// The properties that all heatmaps share.
struct HeatExtent {
    uint64_t worst = 0;              // conflicts at the end of the colour ramp
    float names = 0, sums = 0;       // widths
    std::size_t steps = 1, page = 1; // of the longest warp, and of the longest k-tile
};

// Returns the total over all lines, including bank conflicts of the writes of copies. It is shown above the sums of the
// lines.
std::string sum_of_all(const Heatmap& map)
{
    return "block " + thousands(map.conflicts);
}

// Source lines from top to bottom, and steps from left to right. Each cell has its conflicts as a colour and a number.
class HeatLayers {
public:
    HeatLayers(const ViewFrame& frame, const Shown& what, const Box& room, const HeatExtent& all)
        : shown(what), facts(*what->facts), map(facts.map), theme(frame.theme), extent(all), box(room)
    {
        const float line = std::max(draw::line_height(theme.mono), draw::line_height(theme.text));
        const float left = std::round(box.min.x) + std::ceil(extent.names + theme.px(8));
        const float right = std::max(box.max.x - std::ceil(extent.sums + theme.px(8)), left + 10);
        const float top = std::round(box.min.y) + std::round(line + theme.px(4));
        const auto count = static_cast<float>(std::max<std::size_t>(map.rows.size(), 1));
        row = std::floor(std::max(theme.px(3), (box.max.y - top - theme.px(2)) / count));
        cells = {{left, top}, {right, top + row * count}};
        limits.whole = static_cast<double>(extent.steps);
        limits.least = std::min(limits.whole, std::ceil(static_cast<double>(cells.width() / theme.px(48))));
    }

    std::vector<Layer> layers(const HeatWindow& window)
    {
        const TimeWindow& seen = window.of(shown->stage->number);
        first = static_cast<std::size_t>(seen.from);
        const auto steps = static_cast<std::size_t>(std::max(std::floor(seen.span() + 1e-6), 1.0));
        // If steps are thinner than about a pixel, a cell shows the worst of several steps.
        bundle = static_cast<std::size_t>(std::ceil(1.5f * static_cast<float>(steps) / cells.width()));
        bundle = std::max<std::size_t>(bundle, 1);
        first = first / bundle * bundle;
        cols = static_cast<uint32_t>((steps + bundle - 1) / bundle);
        cells.max.x = std::min(cells.max.x, cells.min.x + static_cast<float>(cols) * theme.px(48));
        return {cell_layer(), boundaries(), labels()};
    }

    Box cells{};
    HeatWindow::Limits limits;

private:
    // Returns the first step of a cell. For the cell after the last one, returns a step after the last one.
    std::size_t step_of(uint32_t col) const { return first + col * bundle; }
    float x_of(std::size_t step) const
    {
        return std::round(cells.min.x + cells.width() * (static_cast<float>(step) - static_cast<float>(first)) /
                                            static_cast<float>(cols * bundle));
    }
    bool is_seen(std::size_t step) const { return step >= first && step < step_of(cols); }
    float middle_of(std::size_t index) const { return cells.min.y + row * static_cast<float>(index) + (row - 1) / 2; }

    CellLayer cell_layer() const
    {
        const auto row_at = [shown = shown](uint32_t row) -> const HeatRow& { return shown->facts->map.rows[row]; };
        const auto at = [row_at, first = first, bundle = bundle](uint32_t row, uint32_t col) {
            const std::size_t step = first + col * bundle;
            return bundle == 1 ? cell_at(row_at(row), step) : worst_cell(row_at(row), step, step + bundle);
        };
        const auto conflicts = [at](uint32_t row, uint32_t col) { return at(row, col)->totals.conflicts; };
        CellLayer layer{.rows = static_cast<uint32_t>(map.rows.size()), .cols = cols, .box = cells, .bordered = false};
        layer.colour = [at, &theme = theme, worst = extent.worst](uint32_t row, uint32_t col) {
            const HeatCell* cell = at(row, col);
            return cell ? conflict_colour(theme, cell->totals.conflicts, worst)
                        : mix(theme.background, theme.border, 0.3f);
        };
        layer.joined = [at](uint32_t row, uint32_t col) { return at(row, col) ? col + 1 : 0; };
        layer.rows_apart = true;
        if (bundle == 1) { // otherwise a cell has no single step
            layer.value = [at](uint32_t row, uint32_t col) {
                const HeatCell* cell = at(row, col);
                return cell ? static_cast<double>(cell->totals.conflicts) : 0;
            };
            layer.words = [at, conflicts](uint32_t row, uint32_t col) {
                return at(row, col) ? thousands(conflicts(row, col)) : "";
            };
            layer.id = [=, stage = shown->stage](uint32_t row, uint32_t col) {
                const HeatCell* cell = at(row, col);
                return cell ? mark_of(*stage, fmt::format("conflicts {} {}", row_at(row).line, cell->step)) : "";
            };
        }
        layer.tip = [=, steps = map.steps, shown = shown, first = first, bundle = bundle](uint32_t row, uint32_t col) {
            const HeatCell* cell = at(row, col);
            const std::size_t step = cell ? cell->step : first + col * bundle;
            return step < steps ? heat_words(*shown, row_at(row), step, cell) : Rich();
        };
        layer.click = [=, steps = map.steps, shown = shown, first = first,
                       bundle = bundle](const ViewScene& scene, uint32_t row, uint32_t col) {
            const HeatCell* cell = at(row, col);
            Selection& selection = scene.selection;
            selection.step = std::min(cell ? cell->step : first + col * bundle, steps - 1);
            selection.line = row_at(row).line;
            if (cell)
                selection.warp = worst_warp(*shown->focus.block, row_at(row), cell->step, selection.warp);
        };
        if (const std::size_t now = shown->focus.step; is_seen(now))
            layer.frames = {{.row = 0,
                             .col = static_cast<uint32_t>((now - first) / bundle),
                             .rows = layer.rows,
                             .colour = theme.ink,
                             .name = mark_of(*shown->stage, "step now")}};
        return layer;
    }

    // Visits the positions at which the work on a k-tile or the stores of C begin.
    template <class Visit>
    void each_boundary(Visit visit) const
    {
        const recording::Recording& recording = *shown->focus.recording;
        const bool product = !recording.executed || recording.executed->multiplies;
        int last_tile = -1;
        for (const Phase& phase : facts.phases) {
            const bool works = phase.kind == PhaseKind::load || phase.kind == PhaseKind::compute;
            const bool stores = phase.kind == PhaseKind::store;
            if (!stores && !(works && phase.k_tile > last_tile))
                continue;
            last_tile = phase.k_tile;
            if (is_seen(phase.first))
                visit(x_of(phase.first), stores ? recording.arrays[2].name
                                                : fmt::format("{} {}", product ? "k-tile" : "round", phase.k_tile + 1));
        }
    }

    ShapeLayer boundaries() const
    {
        ShapeLayer lines;
        each_boundary([&](float x, const std::string&) {
            lines.shapes.push_back(box_shape({{x - 1, cells.min.y - theme.px(4)}, {x, cells.max.y}}, theme.border));
        });
        return lines;
    }

    // If rows are too thin for all names, only the row of the step and some others have names.
    LabelLayer labels() const
    {
        LabelLayer all;
        const float head = std::round(box.min.y) + draw::line_height(theme.mono) / 2;
        all.labels.push_back(mono_label(sum_of_all(map), {box.max.x, head},
                                        map.worst > 0 ? theme.warning : theme.ink_quiet, Label::Side::left));
        const auto is_now = [&](const HeatRow& one) { return cell_at(one, shown->focus.step) != nullptr; };
        const bool must = row >= draw::line_height(theme.mono) - 2;
        const auto add_row = [&](std::size_t index) {
            const float y = middle_of(index);
            const uint64_t conflicts = map.rows[index].totals.conflicts;
            Label name = mono_label(facts.names[index], {std::round(box.min.x), y},
                                    is_now(map.rows[index]) ? theme.ink : theme.ink_quiet, Label::Side::right, must);
            Label sum = mono_label(thousands(conflicts), {box.max.x, y},
                                   conflicts > 0 ? theme.warning : theme.ink_quiet, Label::Side::left, must);
            name.name = mark_of(*shown->stage, "row name:" + facts.names[index]);
            all.labels.push_back(std::move(name));
            all.labels.push_back(std::move(sum));
        };
        for (const bool now : {true, false})
            for (std::size_t i = 0; i < map.rows.size(); ++i)
                if (is_now(map.rows[i]) == now)
                    add_row(i);
        each_boundary([&](float x, std::string words) {
            words += " "; // separates it from the next one
            if (x + draw::measure(theme.mono, words).x <= box.max.x - extent.sums)
                all.labels.push_back(mono_label(std::move(words), {x, head}, theme.ink_faint, Label::Side::right));
        });
        return all;
    }

    const Shown shown;
    const BankFacts& facts;
    const Heatmap& map;
    const Theme& theme;
    const HeatExtent& extent;
    Box box;
    float row = 1;
    std::size_t first = 0, bundle = 1;
    uint32_t cols = 1;
};

class BanksView final : public View {
public:
    std::string_view name() const override { return "banks"; }
    std::string_view title() const override { return "Shared memory"; }
    ViewGroup group() const override { return ViewGroup::memory; }
    std::vector<Numbers> numbers() const override
    {
        return {{Numbers::How::recorded, "addresses"},
                {Numbers::How::derived, "wavefronts, conflicts"},
                {Numbers::How::gpu, "cycles of a conflict"}};
    }
    ViewCommands commands() override
    {
        const auto zooming = [this](double factor) {
            return [this, factor](const ViewScene&) { asked.push_back(factor); };
        };
        return {{"+", "zoom into the heatmap", zooming(1.25)},
                {"-", "zoom out of the heatmap", zooming(0.8)},
                {"0", "show all steps", zooming(0)},
                {"a", "heatmap of the block or of the warp", [this](const ViewScene&) { whole_block = !whole_block; }}};
    }
    Figure figure(const ViewFrame& frame, const Box& box) override;
    void draw_controls(ViewFrame& frame) override;

private:
    void add_stages(Figure& figure, const ViewFrame& frame, const std::vector<Box>& places);
    static void add_diagram(Figure& figure, const ViewFrame& frame, const Shown& shown, const Box& box,
                            std::size_t rows);
    static BarLayer cost_bars(const ViewFrame& frame, const ShownAccess& shown);
    static double longest_bar(const std::vector<BarLayer>& costs);
    static void add_note(Figure& figure, const Theme& theme, const ShownAccess& shown, BarLayer costs, const Box& box);
    void add_heatmap(Figure& figure, const ViewFrame& frame, const Shown& shown, const Box& place,
                     const HeatExtent& extent);
    const ShownAccess* first_ready() const
    {
        const auto found = std::ranges::find_if(columns, [](const Shown& shown) { return shown->ready(); });
        return found == columns.end() ? nullptr : found->get();
    }

    HeatWindow window;
    std::vector<double> asked; // zoom factors for the next figure, which knows how many steps fit; 0: all steps
    bool whole_block = true;
    std::vector<Shown> columns; // of the last figure; so are the next two members
    ImVec2 corner{};            // above the names of the first heatmap's lines
};

// Explains the colours, for the inspector.
Rich heat_legend(const Theme& theme, uint64_t worst)
{
    const Rich none = rich("*Each line at each step*: {}no conflict", Swatch{conflict_colour(theme, 0, worst)});
    return worst == 0 ? none
                      : joined({none, rich("{}{}, the most.", Swatch{conflict_colour(theme, worst, worst)},
                                           counted(worst, "conflict"))});
}

Figure BanksView::figure(const ViewFrame& frame, const Box& box)
{
    columns.clear();
    for (const StageColumn& stage : frame.columns)
        columns.push_back(std::make_shared<const ShownAccess>(ShownAccess::of(frame, stage, whole_block)));
    Figure figure;
    const std::vector<Box> places = add_headings(figure, frame, box, [&](const StageColumn& stage) {
        const ShownAccess& shown = *columns[stage.number];
        return shown.ready() ? headline(shown) : headline_without_banks(stage, shown.focus);
    });
    for (const Shown& shown : columns)
        if (shown->ready())
            std::ranges::move(in_words(frame.theme, *shown), std::back_inserter(figure.said));
        else
            add_without_banks(figure, frame, *shown->stage, shown->focus, places[shown->stage->number]);
    if (first_ready() != nullptr)
        add_stages(figure, frame, places);
    asked.clear(); // even if the stage has no heatmap
    return figure;
}

// At all steps of these warps, the diagrams have the same height, so that the heatmaps below do not move.
void BanksView::add_stages(Figure& figure, const ViewFrame& frame, const std::vector<Box>& places)
{
    const Theme& theme = frame.theme;
    std::size_t rows_now = 1, most = 1;
    HeatExtent extent{.names = draw::measure(theme.text, "32 warps warp 00").x + theme.px(20)};
    std::vector<BarLayer> costs;
    for (const Shown& shown : columns) {
        costs.push_back(cost_bars(frame, *shown));
        if (!shown->ready())
            continue;
        const BankFacts& facts = *shown->facts;
        rows_now = std::max(rows_now, shown->picture.rows.size());
        most = std::max(most, facts.most_wavefronts);
        for (const std::string& name : facts.names)
            extent.names = std::max(extent.names, draw::measure(theme.mono, name).x);
        extent.sums = std::max(extent.sums, draw::measure(theme.mono, sum_of_all(facts.map)).x);
        extent.worst = std::max(extent.worst, facts.map.worst);
        extent.steps = std::max(extent.steps, facts.map.steps);
        extent.page = std::max(extent.page, facts.longest_page());
    }
    figure.said.push_back(heat_legend(theme, extent.worst));
    const float room = places.front().height(), note = std::round(2.4f * draw::row_height(theme, 3));
    // If accesses have few wavefronts, the heatmaps get more room.
    const float share = std::min(0.48f + 0.04f * static_cast<float>(most - 1), 0.64f);
    const float height =
        std::floor(std::min((room - note) * share, theme.px(250) + static_cast<float>(most) * theme.px(90)));
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (!columns[i]->ready())
            continue;
        const std::vector<Box> bands = rows(places[i], {pixels(height), pixels(note), share_of_rest()}, theme.px(4));
        add_diagram(figure, frame, columns[i], bands[0], rows_now);
        costs[i].most = longest_bar(costs);
        add_note(figure, theme, *columns[i], std::move(costs[i]), bands[1]);
        if (columns[i].get() == first_ready())
            corner = bands[2].min;
        add_heatmap(figure, frame, columns[i], bands[2], extent);
    }
}

// Shows the access, with room for `rows` wavefronts. Frames the banks that serve a group of lanes more than once.
void BanksView::add_diagram(Figure& figure, const ViewFrame& frame, const Shown& shown, const Box& box,
                            std::size_t rows)
{
    const StageColumn& stage = *shown->stage;
    const BankPicture& picture = shown->picture;
    const AccessGrid grid(frame.theme, recording::warp_size, model::banks, static_cast<int>(rows), box);
    const std::vector<PatternWord> words = words_of(picture);
    const int count = static_cast<int>(picture.rows.size());
    Motion motion{.turns = count};
    // At the beginning of a step, the clock shows the whole step.
    const std::optional<double>& share = frame.motion.shares[stage.number];
    if (frame.motion.wanted && share > 0.0 && *shown->step == shown->focus.step && !shown->focus.past_end)
        motion.played = share;
    const AccessDiagram diagram{.theme = frame.theme,
                                .grid = grid,
                                .words = words,
                                .rows = count,
                                .selected = frame.selection.lane,
                                .tip = [shown](int lane) { return lane_words(*shown, static_cast<uint32_t>(lane)); },
                                .name_of = [&stage](const std::string& name) { return mark_of(stage, name); },
                                .motion = motion};
    ShapeLayer clashes;
    for (const BankClash& clash : picture.clashes) {
        const auto of_group = [&](const BankRow& one) { return one.group == clash.group; };
        const auto first = static_cast<int>(std::ranges::find_if(picture.rows, of_group) - picture.rows.begin());
        const auto last = first + static_cast<int>(std::ranges::count_if(picture.rows, of_group)) - 1;
        for (int bank = 0, next = 0; bank < model::banks; bank = next) {
            next = bank + std::max(std::countr_one(clash.banks >> bank), 1);
            const Box top = grid.cell(first, bank, next - bank), bottom = grid.cell(last, bank, next - bank);
            if (clash.banks >> bank & 1u && last >= first)
                clashes.shapes.push_back(said_of(
                    {.box = {{top.min.x - 1, top.min.y - 1}, bottom.max}, .stroke = frame.theme.warning, .thick = 2},
                    {.name = mark_of(stage, "clash")}));
        }
    }
    std::vector<Layer> layers = diagram.layers();
    layers.insert(layers.begin() + 1, std::move(clashes));
    figure.panels.push_back({.id = stage_panel(stage), .box = box, .layers = std::move(layers)});
}

BarLayer BanksView::cost_bars(const ViewFrame& frame, const ShownAccess& shown)
{
    BarLayer bars{.stacked = true};
    if (!shown.ready() || is_atomic(shown.access().op)) // loads were measured
        return bars;
    const auto wavefronts = static_cast<uint32_t>(shown.picture.cost.wavefronts),
               conflicts = static_cast<uint32_t>(shown.picture.bank_conflicts());
    const bool narrow_load = shown.access().op == recording::Op::shared_load && shown.access().width <= 4;
    bars.name = mark_of(*shown.stage, "cost");
    add_conflict_cost(bars, frame.theme, frame.ladder_facts, wavefronts, wavefronts - conflicts, narrow_load);
    return bars;
}

double BanksView::longest_bar(const std::vector<BarLayer>& costs)
{
    double longest = 0;
    for (const BarLayer& layer : costs)
        for (const BarLayer::Bar& bar : layer.bars)
            longest = std::max(longest, bar.parts[0].value.value_or(0) + bar.parts[1].value.value_or(0));
    return longest;
}

// Shows why the access takes so many wavefronts, and beside it their cost on the GPU.
void BanksView::add_note(Figure& figure, const Theme& theme, const ShownAccess& shown, BarLayer costs, const Box& box)
{
    const float gap = theme.px(12), least_cost = theme.px(160); // room for a name, a bar, and the number of cycles
    if ((box.width() - gap) / 2 < least_cost)
        costs.bars.clear();
    const std::vector<Box> sides = viz::columns(box, {share_of_rest(), share_of_rest(costs.bars.empty() ? 0 : 1)}, gap);
    std::vector<Rich> reasons;
    for (const Message& message : shown.picture.callout)
        reasons.push_back(rich(message));
    if (!reasons.empty()) {
        Rich all = in_lines(reasons);
        if (RichText(theme).write(all).height(sides[0].width()) > box.height())
            all = reasons.front();
        Panel panel = words_panel(mark_of(*shown.stage, "reason"), sides[0], {});
        panel.layers = {
            RichTextLayer{.words = std::move(all), .whole = true, .name = mark_of(*shown.stage, "callout")}};
        figure.panels.push_back(std::move(panel));
    }
    if (!costs.bars.empty())
        figure.panels.push_back({.id = "cost of " + stage_panel(*shown.stage),
                                 .box = sides[1],
                                 .layers = {std::move(costs)},
                                 .is_picture = false});
}

void BanksView::add_heatmap(Figure& figure, const ViewFrame& frame, const Shown& shown, const Box& place,
                            const HeatExtent& extent)
{
    const std::size_t number = shown->stage->number, step = shown->focus.step;
    HeatLayers heat(frame, shown, place, extent);
    for (const double factor : std::exchange(asked, {}))
        window.zoom(factor, number, static_cast<double>(step), heat.limits);
    window.follow(number, step, shown->facts->pages, static_cast<double>(extent.page), heat.limits);
    std::vector<Layer> layers = heat.layers(window);
    figure.panels.push_back({.id = "heatmap of " + stage_panel(*shown->stage),
                             .box = place,
                             .layers = std::move(layers),
                             .use_mouse = [this, number, cells = heat.cells, limits = heat.limits](const Box&) {
                                 window.use_mouse(number, cells.min.x, cells.max.x, limits);
                             }});
}

// Draws buttons for the accesses in the heatmap: those of the block, or those of the warp.
void BanksView::draw_controls(ViewFrame& frame)
{
    if (columns.front()->ready())
        frame.hint = plain(lane_words(*columns.front(), frame.selection.lane));
    const ShownAccess* shown = first_ready();
    if (shown == nullptr)
        return;
    const std::string all = counted(shown->focus.block->warps.size(), "warp"),
                      alone = fmt::format("warp {}", frame.selection.warp);
    draw::Controls row(frame, {corner, {corner.x + frame.theme.px(400), corner.y}}, 0);
    if (row.choice(all.c_str(), whole_block))
        whole_block = true;
    if (row.choice(alone.c_str(), !whole_block))
        whole_block = false;
}

} // namespace

std::unique_ptr<View> make_banks_view()
{
    return std::make_unique<BanksView>();
}

} // namespace viz
