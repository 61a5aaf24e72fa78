// The data path view: the words that a step moves, their sources and destinations, and their order and cost.
#include "viz/analysis/bank_picture.h"
#include "viz/analysis/sectors.h"
#include "viz/analysis/values.h"
#include "viz/figure/draw_figure.h"
#include "viz/text/figures.h"
#include "viz/views/01_flow/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <set>
#include <utility>

namespace viz {

std::unique_ptr<View> make_flow_view();

namespace {

Value strong_count(uint64_t count)
{
    return Value(count).as(Meaning::strong);
}

Rich headline_of_step(const FlowFacts& facts, const recording::Access& access)
{
    const StepWays& transfers = facts.transfers;
    if (const auto& operands = transfers.operands)
        return rich("{} x {} sums of {} products", strong_count(operands->rows_of_c()),
                    strong_count(operands->cols_of_c()), strong_count(operands->depth));
    if (const auto& box = transfers.box)
        return rich("{} copied, asked for by one lane",
                    Value(bytes(static_cast<double>(uint64_t{box->source.rows} * box->source.cols *
                                                    facts.recording().arrays[box->from].element_bytes)))
                        .as(Meaning::strong));
    if (transfers.bank) {
        const auto conflicts = static_cast<uint64_t>(transfers.bank->conflicts - transfers.l1_waits);
        const std::string wavefronts =
            counted(static_cast<uint64_t>(transfers.bank->wavefronts), "wavefront", "wavefronts");
        if (transfers.l1_waits > 0 && conflicts == 0)
            return rich(
                "{} · {} for L1, no bank conflict", wavefronts,
                Value(counted(static_cast<uint64_t>(transfers.l1_waits), "waits", "wait")).as(Meaning::conflict));
        const Meaning meaning = conflicts > 0 ? Meaning::conflict : Meaning::good;
        return rich("{} · {}", Value(wavefronts).as(meaning),
                    Value(conflicts == 0 ? "no conflict" : counted(conflicts, "conflict", "conflicts")).as(meaning));
    }
    if (transfers.line) {
        const auto sectors = static_cast<uint64_t>(transfers.line->sectors);
        return rich("{} · {}", counted(static_cast<uint64_t>(transfers.line->requests), "request", "requests"),
                    Value(counted(sectors, "sector", "sectors"))
                        .as(sectors > fewest_sectors(access) ? Meaning::conflict : Meaning::good));
    }
    if (transfers.lanes_on_one > 1)
        return rich("{} · {} on one element · {}", recording::name(access.op),
                    Value(counted(static_cast<uint64_t>(transfers.lanes_on_one), "lane", "lanes")).as(Meaning::strong),
                    atomic_cost_words(access));
    if (transfers.lanes_on_one == 1)
        return rich("{} · {}", recording::name(access.op), atomic_cost_words(access));
    return rich("{}", Value(recording::name(access.op)).as(Meaning::quiet));
}

// Describes an element of C in a lane's registers, and its sum before this k if that is known.
Rich sum_words(const FlowFacts& facts, const Cell& c)
{
    const recording::Recording& recording = facts.recording();
    const std::string element = element_name(recording.arrays[array_C].name, {c});
    const auto sum = facts.sum_so_far(c);
    if (!sum)
        return rich("The sum of {}.", element);
    const uint32_t end = *facts.summed_up_to();
    return rich("The sum of {}{}: **{}**.", element,
                end == recording.arrays[array_A].cols ? Rich() : rich(" before k = {}", index(end)),
                exact_value(recording, *sum));
}

// The registers of the selected lane: values that it moves, and the outer product of its operands. The layers refer to
// `part`.

// Layout of the lane's sums, with a cell for each row and column of C that it has elements in.
struct ProductGrid {
    std::vector<uint32_t> rows, cols; // rows and columns of C
    ImVec2 corner = {};
    float width = 1, height = 1; // of a cell
    float gap = 0;               // between the sums and the operands
    float name_y = 0;

    Box sums() const { return {corner, {corner.x + width * count(cols), corner.y + height * count(rows)}}; }
    Box operands_of_a() const { return {{corner.x - gap - width, corner.y}, {corner.x - gap, sums().max.y}}; }
    Box operands_of_b() const { return {{corner.x, corner.y - gap - height}, {sums().max.x, corner.y - gap}}; }
    static float count(const std::vector<uint32_t>& values) { return static_cast<float>(values.size()); }
};

std::vector<uint32_t> different(const std::vector<Cell>& cells, uint32_t Cell::*member)
{
    std::set<uint32_t> values;
    for (const Cell& cell : cells)
        values.insert(cell.*member);
    return {values.begin(), values.end()};
}

// Returns whether the products of one sum are written below the sums. They are for short sums of whole numbers.
bool shows_terms(const FlowFacts& facts)
{
    constexpr uint32_t most = 16; // the longest sum that is still readable
    const recording::Recording& recording = facts.recording();
    return facts.in_registers && facts.summed_up_to() && !facts.results.empty() && recording.arrays[0].cols <= most &&
           recording.inputs == recording::Inputs::small;
}

// Places the sums below the two header lines. Returns nothing if the lane has no sums, or if they do not fit.
std::optional<ProductGrid> product_grid(const FlowPart& part)
{
    const FlowFacts& facts = part.facts;
    const Theme& theme = part.theme();
    const Box& room = part.scene.registers();
    ProductGrid grid{different(facts.results, &Cell::row), different(facts.results, &Cell::col)};
    if (!facts.in_registers || grid.rows.empty() || grid.rows.size() > 64 || grid.cols.size() > 64)
        return {};
    const float heading = draw::line_height(theme.mono) + theme.px(4), zoom = part.scene.zoom();
    grid.name_y = room.min.y + 2 * draw::row_height(theme, 3) + theme.px(4);
    grid.gap = theme.px(6);
    // Cells are wide enough for a value if there is room, otherwise square. If there are few sums, cells are larger.
    const bool few = grid.rows.size() <= 4 && grid.cols.size() <= 4;
    const float terms = shows_terms(facts) ? 3 * heading : 0;
    const float high = room.max.y - grid.name_y - 2 * heading - grid.gap - terms, wide = room.width() - grid.gap;
    grid.height = std::floor(std::min(high / (grid.count(grid.rows) + 1), theme.px(few ? 46.0f : 40.0f) * zoom));
    grid.width = std::floor(std::min(wide / (grid.count(grid.cols) + 1), theme.px(few ? 68.0f : 56.0f) * zoom));
    if (grid.height < 3 || grid.width < 3)
        return {};
    grid.corner = {room.min.x + grid.width + grid.gap, grid.name_y + heading + grid.height + grid.gap};
    return grid;
}

// Returns the elements that the lane moves at this step: "As(3, 104..107)". Empty if nothing moves through its
// registers.
std::string moved_by_lane(const FlowPart& part)
{
    const recording::Access& access = part.access();
    const auto past = [](const Transfer& transfer) { return !transfer.from.in_lane && !transfer.to.in_lane; };
    if (!has_addresses(access) || access.width == 0 || !takes_part(access, part.lane()) ||
        std::ranges::any_of(part.facts.transfers.transfers, past))
        return "";
    const recording::Array& array = part.recording().arrays[access.array];
    return element_name(array.name,
                        cells_of_lane(access, part.facts.elements(access.array), array.element_bytes, part.lane()));
}

// Returns the elements that the lane multiplies at this k, in a column of A and a row of B. Empty if it multiplies
// nothing at this step.
LaneFragment multiplied(const FlowPart& part)
{
    const auto& fragments = part.facts.fragments;
    if (!fragments || part.facts.phase().kind != PhaseKind::compute)
        return {};
    const LaneFragment& lane = fragments->lanes[part.lane()];
    if (lane.a.empty() || lane.b.empty())
        return {};
    // A register that is not loaded yet holds an earlier value, which is not shown.
    return fragments->held_by(part.lane());
}

Colour idle_colour(const Theme& theme)
{
    return mix(theme.panel, theme.ink, 0.12f);
}

// Returns cells with as many digits of the values as fit.
CellLayer cells_with_values(const FlowPart& part, const Box& box,
                            std::function<std::optional<double>(uint32_t, uint32_t)> value)
{
    const recording::Recording& recording = part.recording();
    CellLayer cells{.box = box, .bordered = false, .large = true};
    const auto print = [&](std::string (*printed)(const recording::Recording&, double)) {
        return [&recording, value, printed](uint32_t row, uint32_t col) {
            const auto known = value(row, col);
            return known ? printed(recording, *known) : "";
        };
    };
    cells.words = print(short_value);
    cells.shorter.emplace_back(print(brief_value));
    return cells;
}

// Returns the elements of A or B for these rows or columns of C, if the lane holds them.
CellLayer operand_cells(const FlowPart& part, const ProductGrid& grid, std::size_t array, const std::vector<Cell>& held)
{
    const bool of_a = array == array_A;
    const std::vector<uint32_t>& lines = of_a ? grid.rows : grid.cols;
    std::vector<std::optional<Cell>> found;
    for (const uint32_t line : lines) {
        const auto one = std::ranges::find(held, line, of_a ? &Cell::row : &Cell::col);
        found.push_back(one != held.end() ? std::optional(*one) : std::nullopt);
    }
    CellLayer cells = cells_with_values(part, of_a ? grid.operands_of_a() : grid.operands_of_b(),
                                        [&part, array, found](uint32_t row, uint32_t col) -> std::optional<double> {
                                            const auto& cell = found[row + col];
                                            const auto value =
                                                cell ? value_of(part.recording(), array, *cell) : std::nullopt;
                                            return value ? std::optional(double{*value}) : std::nullopt;
                                        });
    const auto count = static_cast<uint32_t>(lines.size());
    cells.rows = of_a ? count : 1;
    cells.cols = of_a ? 1 : count;
    cells.widest = of_a ? "a" : "b";
    cells.shorter.emplace_back([letter = cells.widest](uint32_t, uint32_t) { return letter; });
    cells.colour = [&part, array, found](uint32_t row, uint32_t col) {
        return found[row + col] ? draw::operand_colour(part.theme(), array) : idle_colour(part.theme());
    };
    for (uint32_t i = 0; part.facts.operands_elsewhere && i < count; ++i)
        if (found[i])
            cells.frames.push_back(
                {.row = of_a ? i : 0, .col = of_a ? 0 : i, .colour = part.theme().warning, .thick = 1.5f});
    return cells;
}

// Returns the sums. Those that a product is being added to are highlighted.
CellLayer sum_cells(const FlowPart& part, const ProductGrid& grid, const LaneFragment& now)
{
    const auto element = [rows = grid.rows, cols = grid.cols](uint32_t row, uint32_t col) {
        return Cell{rows[row], cols[col]};
    };
    CellLayer cells = cells_with_values(part, grid.sums(), [&part, element](uint32_t row, uint32_t col) {
        return part.facts.sum_so_far(element(row, col));
    });
    cells.rows = static_cast<uint32_t>(grid.rows.size());
    cells.cols = static_cast<uint32_t>(grid.cols.size());
    cells.widest = "-.0";
    // A wgmma that computes all sums of a lane adds to all of them.
    constexpr std::size_t group_lanes = 128;
    const auto& group = part.facts.transfers.operands;
    const bool all_grow =
        group && part.facts.results.size() * group_lanes <= std::size_t{group->rows_of_c()} * group->cols_of_c();
    const std::vector<uint32_t> rows = different(now.a, &Cell::row), cols = different(now.b, &Cell::col);
    cells.colour = [=, &part, owned = std::set(part.facts.results.begin(), part.facts.results.end())](uint32_t row,
                                                                                                      uint32_t col) {
        const Cell c = element(row, col);
        const bool grows =
            all_grow || (std::ranges::binary_search(rows, c.row) && std::ranges::binary_search(cols, c.col));
        return !owned.contains(c) ? Colour{0}
               : grows            ? mix(part.theme().panel, part.accent(), 0.75f)
                                  : idle_colour(part.theme());
    };
    cells.tip = [&part, element](uint32_t row, uint32_t col) { return sum_words(part.facts, element(row, col)); };
    cells.click = [element](const ViewScene& shown, uint32_t row, uint32_t col) {
        const Cell c = element(row, col);
        shown.selection.c = {c.row, c.col};
    };
    return cells;
}

// Returns the names of the elements of C, shortened to fit.
std::string product_name(const FlowPart& part, const ProductGrid& grid)
{
    const std::string extent = fmt::format("{} x {}", grid.rows.size(), grid.cols.size());
    const auto range = [](const std::vector<uint32_t>& values) {
        const bool neighbours = values.back() - values.front() + 1 == values.size();
        return values.size() == 1 ? std::to_string(values.front())
               : neighbours       ? fmt::format("{}..{}", values.front(), values.back())
                                  : fmt::format("{}, {} ...", values[0], values[1]);
    };
    const auto& fragments = part.facts.fragments;
    const std::string k =
        fragments && part.facts.phase().kind != PhaseKind::store ? fmt::format(", k = {}", fragments->k) : "";
    const std::string words[] = {fmt::format("C({}, {}){}", range(grid.rows), range(grid.cols), k),
                                 extent + " sums" + k, extent + " of C", extent};
    return draw::first_fitting(part.theme().mono, part.scene.registers().max.x - grid.corner.x, words);
}

// Returns the terms of a sum: those already added, the next one, and the remaining ones, as in "4·5 + 3·5 + 5·2, so far
// 35". The sum is that of the clicked element, or of the lane's first element.
Rich terms(const FlowPart& part)
{
    const recording::Recording& recording = part.recording();
    const std::vector<Cell>& results = part.facts.results;
    const auto& clicked = part.frame.selection.c;
    const auto chosen = clicked ? std::ranges::find(results, Cell{clicked->first, clicked->second}) : results.end();
    const Cell c = chosen != results.end() ? *chosen : results.front();
    const uint32_t K = recording.arrays[0].cols, end = *part.facts.summed_up_to();
    Rich words;
    const auto say = [&](std::string what, Meaning meaning) {
        words.push_back({.words = std::move(what), .style = Style::heading, .meaning = meaning});
    };
    say(element_name(recording.arrays[array_C].name, {c}) + " = ", Meaning::quiet);
    for (uint32_t k = 0; k < K; ++k) {
        const auto a = value_of(recording, array_A, {c.row, k}), b = value_of(recording, array_B, {k, c.col});
        const bool next = k == end && part.facts.phase().kind == PhaseKind::compute;
        if (a && b) // no line break after the plus
            say(fmt::format("{}{}·{}", k == 0 ? "" : " +\u00a0", short_value(recording, *a),
                            short_value(recording, *b)),
                next      ? of_column(part.stage.number)
                : k < end ? Meaning::strong
                          : Meaning::faint);
    }
    if (const auto sum = part.facts.sum_so_far(c); sum && end > 0)
        say((end == K ? " =\u00a0" : "  so far ") + short_value(recording, *sum),
            end == K ? Meaning::good : Meaning::strong);
    return words;
}

bool is_passed_on(const recording::Recording& recording, const recording::BlockTrace& block)
{
    return sums_pass_through_shared(recording, block);
}

void add_registers(std::vector<Layer>& layers, const FlowPart& part)
{
    const Theme& theme = part.theme();
    const Box& box = part.scene.registers();
    const bool elsewhere = part.facts.operands_elsewhere;
    layers.emplace_back(ShapeLayer{
        {said_of({.box = box}, {.tip = [&part] { return lane_words(part.facts, part.focus, part.lane()); }})}});
    using recording::Op;
    const Op op = part.access().op;
    const bool copies = op == Op::async_load || op == Op::async_store || op == Op::bulk_load || op == Op::bulk_store;
    Rich more;
    if (elsewhere)
        more = rich("{}", Value(", a and b in local memory").as(Meaning::conflict));
    else if (copies) // directly from global to shared memory, without registers
        more = rich(": the copy does not pass them");
    const auto grid = product_grid(part);
    // Other lanes may have added up what a lane reads from shared memory and stores.
    const bool passed_on = grid && part.stage.memo<is_passed_on>(*part.focus.block);
    layers.emplace_back(
        RichTextLayer{.words = rich(passed_on ? "*stored in the end by lane {}*{}" : "*registers of lane {}*{}",
                                    index(part.lane()), std::move(more)),
                      .box = box,
                      .name = elsewhere ? part.name("local memory") : ""});
    LabelLayer labels;
    if (const std::string moved = moved_by_lane(part); !moved.empty())
        labels.labels.push_back(
            words_at({box.min.x, box.min.y + draw::row_height(theme, 3) + draw::line_height(theme.mono_bold) / 2},
                     Label::Side::right, (is_store(part.access().op) ? "→ " : "← ") + moved,
                     {.colour = part.accent(), .strong = true, .must = true}));
    if (!grid) {
        layers.emplace_back(std::move(labels));
        return;
    }
    labels.labels.push_back(words_at({grid->corner.x, grid->name_y + draw::line_height(theme.mono) / 2},
                                     Label::Side::right, product_name(part, *grid), {.mono = true}));
    layers.emplace_back(std::move(labels));
    const LaneFragment now = multiplied(part);
    if (!part.facts.transfers.operands) { // otherwise tensor cores read the operands from shared memory
        layers.emplace_back(operand_cells(part, *grid, array_A, now.a));
        layers.emplace_back(operand_cells(part, *grid, array_B, now.b));
    }
    layers.emplace_back(sum_cells(part, *grid, now));
    if (shows_terms(part.facts))
        layers.emplace_back(RichTextLayer{.words = terms(part),
                                          .box = Box{{box.min.x, grid->sums().max.y + theme.px(16)}, box.max},
                                          .whole = true,
                                          .name = part.name("terms")});
}

void add_waves(const FlowPart& part, std::vector<CalloutLayer::Line>& lines)
{
    const StepWays& transfers = part.facts.transfers;
    std::vector<CalloutLayer::Line> with;
    int without = 0; // wavefronts of a copy in which no lane writes, see model::schedule()
    for (int turn = 0; turn < transfers.turns; ++turn) {
        // The receiving lanes of a turn may be unknown.
        const auto at = static_cast<std::size_t>(turn);
        uint32_t lanes = at < transfers.asked.size() ? transfers.asked[at] : 0;
        const Transfer* any = nullptr;
        for (const Transfer& transfer : transfers.transfers)
            if (transfer.turn == turn) {
                lanes |= 1u << transfer.lane;
                any = any == nullptr || transfer.waits ? &transfer : any;
            }
        if (lanes == 0)
            ++without;
        else
            with.push_back({.words = fmt::format("wavefront {}  {}", turn + 1, lane_list(lanes)),
                            .colour = any != nullptr ? part.colour(*any) : part.accent(),
                            .mono = true});
    }
    const std::size_t listed = with.size() <= 4 ? with.size() : 3; // a fourth line says more than "and 1 more"
    const std::size_t more = with.size() - listed;
    with.resize(listed);
    std::ranges::move(with, std::back_inserter(lines));
    if (without > 0)
        lines.push_back({.words = fmt::format("{} more without a write: lanes wait for reads in L1", without),
                         .colour = part.theme().warning,
                         .mono = true});
    if (more > 0)
        lines.push_back({.words = fmt::format("and {} more", more), .colour = part.theme().ink_quiet, .mono = true});
}

CalloutLayer::Line bank_line(const FlowPart& part)
{
    const StepWays& transfers = part.facts.transfers;
    const std::string group = plain(within_group(transfers.group_lanes)), within = group.empty() ? group : " " + group;
    const int conflicts = transfers.bank->conflicts - transfers.l1_waits;
    CalloutLayer::Line line{.colour = part.theme().warning, .large = true};
    if (transfers.l1_waits > 0 && conflicts == 0)
        line.words = counted(static_cast<uint64_t>(transfers.l1_waits), "wavefront waits", "wavefronts wait") +
                     " for reads in L1";
    else if (conflicts > 0)
        line.words = fmt::format(
            "{} {}{}", counted(static_cast<uint64_t>(transfers.busy_banks), "bank answers", "banks answer"),
            transfers.answers == 2 ? std::string("twice") : fmt::format("up to {} times", transfers.answers), within);
    else
        line = {.words = "no bank answers twice" + within, .colour = part.theme().good, .large = true};
    return line;
}

std::vector<CalloutLayer::Line> cost_lines(const FlowPart& part)
{
    const StepWays& transfers = part.facts.transfers;
    const Theme& theme = part.theme();
    std::vector<CalloutLayer::Line> lines;
    if (transfers.bank && transfers.turns > 0) {
        lines.push_back(bank_line(part));
        add_waves(part, lines);
    } else if (transfers.line && !transfers.transfers.empty()) {
        uint64_t asked = 0;
        for (const Transfer& transfer : transfers.transfers)
            asked += transfer.bytes;
        const auto sectors = static_cast<uint64_t>(transfers.line->sectors);
        lines.push_back({.words = fmt::format("{} in {}", counted(sectors, "sector", "sectors"),
                                              counted(static_cast<uint64_t>(transfers.turns), "line", "lines")),
                         .colour = sectors > fewest_sectors(part.access()) ? theme.warning : theme.good,
                         .large = true});
        lines.push_back(
            {.words = fmt::format("{} moved, lanes ask for {} together",
                                  counted(sectors * model::sector_bytes, "byte", "bytes"), thousands(asked)),
             .colour = theme.ink_quiet});
    } else if (transfers.lanes_on_one > 0) {
        lines.push_back({.words = transfers.lanes_on_one == 1
                                      ? std::string("each lane updates an element of its own")
                                      : fmt::format("up to {} lanes update one element", transfers.lanes_on_one),
                         .colour = theme.ink,
                         .large = true});
        if (transfers.lanes_on_one > 1)
            lines.push_back({.words = "one update is whole before the next begins", .colour = theme.ink_quiet});
        lines.push_back({.words = atomic_cost_words(part.access()), .colour = theme.ink_quiet});
    }
    return lines;
}

class FlowView final : public View {
public:
    std::string_view name() const override { return "flow"; }
    std::string_view title() const override { return "Data path"; }
    ViewGroup group() const override { return ViewGroup::flow; }
    std::vector<Numbers> numbers() const override
    {
        return {{Numbers::How::recorded, "accesses, owners"}, {Numbers::How::derived, "wavefronts, sectors"}};
    }
    bool shows_single_accesses() const override { return true; }
    ViewCommands commands() override
    {
        return PanZoom::commands([this] {
            std::vector<PanZoom*> shown;
            for (std::size_t i = 0; i < columns_; ++i)
                shown.push_back(&zoom_[i]);
            return shown;
        });
    }
    Figure figure(const ViewFrame& frame, const Box& box) override;

private:
    // A stage in this frame. If `facts` is null, `why` says why nothing is shown.
    struct Shown {
        Focus focus;
        FlowFacts* facts = nullptr;
        Rich why = {};
    };
    Shown shown_of(const ViewFrame& frame, const StageColumn& stage);
    Panel panel(const ViewFrame& frame, const StageColumn& stage, const Shown& shown, const Box& box);

    std::array<PanZoom, most_columns> zoom_;
    std::size_t columns_ = 0; // in the last frame
    // From the last frame. Only compared, never dereferenced.
    std::array<const recording::WarpTrace*, most_columns> last_{};
    double seconds_ = 0;                           // time of the last frame
    std::vector<std::unique_ptr<FlowPart>> parts_; // of this frame; its layers refer to them
};

FlowView::Shown FlowView::shown_of(const ViewFrame& frame, const StageColumn& stage)
{
    Shown shown{.focus = focus_on(frame, stage)};
    const Focus& focus = shown.focus;
    if (!focus.warp || focus.recording->arrays.size() < 3) {
        shown.why = rich("{}", focus.why);
        return shown;
    }
    const std::shared_ptr<BlockTiling> tiling = flow_tiling(stage, *focus.block);
    if (tiling == nullptr) {
        shown.why = rich("Following what this block does …");
        return shown;
    }
    shown.facts = &stage.tool<FlowFacts>(*focus.block, focus.warp_index, tiling);
    const bool same_warp = std::exchange(last_[stage.number], focus.warp) == focus.warp;
    shown.facts->move_to(focus.step, frame.selection.lane, frame.seconds, frame.motion.wanted && same_warp);
    return shown;
}

// Returns a mask of the lane under the mouse, or of the lanes that request the word under it.
uint32_t lanes_pointed_at(const FlowScene& scene, const FlowFacts& facts)
{
    const ImVec2 mouse = ImGui::GetMousePos();
    if (const auto lane = scene.lane_under(mouse))
        return 1u << *lane;
    const auto word = scene.word_under(mouse);
    return word ? facts.lanes_that_want(*word) : 0;
}

Rich said_of_lane(const FlowPart& part)
{
    std::vector<Rich> said{lane_words(part.facts, part.focus, part.lane())};
    if (!said.front().empty() && takes_part(part.access(), part.lane()) && !part.facts.results.empty() &&
        part.facts.summed_up_to())
        said.push_back(sum_words(part.facts, part.facts.results.front()));
    if (part.frame.comparing())
        said.insert(said.begin(), rich("{}{}:", Swatch{part.accent()}, part.stage.slug));
    return joined(std::move(said));
}

Panel FlowView::panel(const ViewFrame& frame, const StageColumn& stage, const Shown& shown, const Box& box)
{
    PanZoom& zoom = zoom_[stage.number];
    zoom.follow(box, box.width(), box.height());
    Motion motion{.since = frame.seconds - shown.facts->began, .turns = shown.facts->transfers.turns};
    if (frame.motion.wanted)
        motion.played = frame.motion.shares[stage.number];
    parts_.push_back(std::make_unique<FlowPart>(
        FlowPart{{frame, stage},
                 shown.focus,
                 *shown.facts,
                 FlowScene(*shown.facts, static_cast<float>(zoom.cell()), frame.theme,
                           {zoom.to_screen(0, 0), zoom.to_screen(box.width(), box.height())}),
                 motion}));
    FlowPart& part = *parts_.back();
    part.lit_lanes = draw::pointed_at(box) ? lanes_pointed_at(part.scene, part.facts) : 0;
    Panel panel{.id = stage.slug, .box = box, .camera = &zoom};
    add_matrices(panel.layers, part);
    add_registers(panel.layers, part);
    add_memory(panel.layers, part);
    add_ways(panel.layers, part);
    add_names_of_memory(panel.layers, part);
    add_lanes(panel.layers, part);
    add_values(panel.layers, part);
    if (zoom.cell() < 1.5) // at higher zoom there is no room for it
        add_cost(panel.layers, part, cost_lines(part));
    return panel;
}

Figure FlowView::figure(const ViewFrame& frame, const Box& box)
{
    Figure figure;
    figure.numbers = numbers();
    columns_ = frame.columns.size();
    parts_.clear();
    std::vector<Shown> shown;
    for (const StageColumn& stage : frame.columns)
        shown.push_back(shown_of(frame, stage));
    const auto number = [&](const StageColumn& stage) {
        return static_cast<std::size_t>(&stage - frame.columns.data());
    };
    const std::vector<Box> places = add_headings(figure, frame, box, [&](const StageColumn& stage) {
        const Shown& one = shown[number(stage)];
        return one.facts != nullptr ? headline_of_step(*one.facts, one.focus.access()) : one.why;
    });
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (shown[i].facts == nullptr)
            continue;
        figure.panels.push_back(panel(frame, frame.columns[i], shown[i], places[i]));
        const FlowPart& part = *parts_.back();
        figure.said.push_back(said_of_lane(part));
        // In an exported picture no time passes, so nothing moves.
        const bool moves = frame.motion.wanted && frame.seconds > seconds_;
        figure.settled = figure.settled && (!moves || part.motion.over(part.facts.transfers.turns));
    }
    seconds_ = frame.seconds;
    return figure;
}

} // namespace

std::unique_ptr<View> make_flow_view()
{
    return std::make_unique<FlowView>();
}

} // namespace viz
