#include "viz/views/01_flow/registers.h"

#include "viz/analysis/values.h"
#include "viz/draw/numbers.h"
#include "viz/views/01_flow/flow_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace viz {

namespace {

// Layout of the lane's sums: a cell for each row and column of C in which it has elements.
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

// Returns whether the sum of one element is written out below the sums: only short sums of whole numbers.
bool shows_terms(const FlowFacts& facts)
{
    constexpr uint32_t most = 16; // the longest sum that is still readable
    const recording::Recording& recording = facts.tiling->recording();
    return facts.in_registers && facts.summed_up_to() && !facts.results.empty() && recording.arrays[0].cols <= most &&
           recording.inputs == recording::Inputs::small;
}

// Places the sums below the two header lines. Returns nothing if the lane has no sums, or if there is no room.
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

// Returns "As(3, 104..107)": what the lane itself moves at this step. Empty if it moves nothing, or nothing through its
// registers.
std::string moved_by_lane(const FlowPart& part)
{
    const recording::Access& access = part.access();
    const auto past = [](const Transfer& transfer) { return !transfer.from.in_lane && !transfer.to.in_lane; };
    if (!has_addresses(access) || access.width == 0 || !takes_part(access, part.lane()) ||
        std::ranges::any_of(part.facts.transfers.transfers, past))
        return "";
    const recording::Array& array = part.recording().arrays[access.array];
    return element_name(array.name, cells_of_lane(access, part.facts.tiling->elements()[access.array],
                                                  array.element_bytes, part.lane()));
}

// Returns what the lane multiplies at this k: its elements of a column of A and of a row of B. Empty if it multiplies
// nothing at this step.
LaneFragment multiplied(const FlowPart& part)
{
    const auto& fragments = part.facts.fragments;
    if (!fragments || part.facts.phase().kind != PhaseKind::compute)
        return {};
    const LaneFragment& lane = fragments->lanes[part.lane()];
    if (lane.a.empty() || lane.b.empty())
        return {};
    // Before its load, a register still holds its previous value, which is not shown.
    return fragments->held_by(part.lane());
}

Colour idle_colour(const Theme& theme)
{
    return mix(theme.panel, theme.ink, 0.12f);
}

// Returns cells with values in as many digits as fit.
CellLayer cells_with_values(const FlowPart& part, const Box& box,
                            std::function<std::optional<double>(uint32_t, uint32_t)> value)
{
    const recording::Recording& recording = part.recording();
    CellLayer cells{.box = box, .bordered = false, .large = true};
    cells.words = [&recording, value](uint32_t row, uint32_t col) {
        const auto known = value(row, col);
        return known ? short_value(recording, *known) : "";
    };
    cells.shorter.emplace_back([&recording, value](uint32_t row, uint32_t col) {
        const auto known = value(row, col);
        return known ? brief_value(recording, *known) : "";
    });
    return cells;
}

// Returns the elements of A or B for these rows or columns of C, as far as the lane holds them.
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

// Returns the sums. Those to which a product is being added are highlighted.
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
    // If a wgmma computes as many sums per lane as the lane holds, it adds to all of them.
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

// Returns the products of the clicked element, or of the lane's first element: those in the sum, the next one, and the
// remaining ones: "4·5 + 3·5 + 5·2, so far 35".
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
        if (a && b) // a non-breaking space follows the plus
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

} // namespace

void add_registers(std::vector<Layer>& layers, const FlowPart& part)
{
    const Theme& theme = part.theme();
    const Box& box = part.scene.registers();
    const bool elsewhere = part.facts.operands_elsewhere;
    layers.emplace_back(ShapeLayer{
        {said_of({.box = box}, {.tip = [&part] { return lane_words(part.facts, part.focus, part.lane()); }})}});
    layers.emplace_back(ProseLayer{
        .words = rich("*registers of lane {}*{}", index(part.lane()),
                      elsewhere ? rich("{}", Value(", a and b in local memory").as(Meaning::conflict)) : Rich()),
        .box = box,
        .name = elsewhere ? part.name("local memory") : ""});
    LabelLayer labels;
    if (const std::string moved = moved_by_lane(part); !moved.empty())
        labels.labels.push_back(
            {.words = (is_store(part.access().op) ? "→ " : "← ") + moved,
             .at = {box.min.x, box.min.y + draw::row_height(theme, 3) + draw::line_height(theme.mono_bold) / 2},
             .distance = 0,
             .colour = part.accent(),
             .side = Label::Side::right,
             .strong = true,
             .must = true});
    const auto grid = product_grid(part);
    if (!grid) {
        layers.emplace_back(std::move(labels));
        return;
    }
    labels.labels.push_back({.words = product_name(part, *grid),
                             .at = {grid->corner.x, grid->name_y + draw::line_height(theme.mono) / 2},
                             .distance = 0,
                             .side = Label::Side::right,
                             .mono = true});
    layers.emplace_back(std::move(labels));
    const LaneFragment now = multiplied(part);
    if (!part.facts.transfers.operands) { // otherwise the tensor cores read the operands from shared memory
        layers.emplace_back(operand_cells(part, *grid, array_A, now.a));
        layers.emplace_back(operand_cells(part, *grid, array_B, now.b));
    }
    layers.emplace_back(sum_cells(part, *grid, now));
    if (shows_terms(part.facts))
        layers.emplace_back(ProseLayer{.words = terms(part),
                                       .box = Box{{box.min.x, grid->sums().max.y + theme.px(16)}, box.max},
                                       .whole = true,
                                       .name = part.name("terms")});
}

} // namespace viz
