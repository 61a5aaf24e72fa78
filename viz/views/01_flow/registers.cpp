#include "viz/views/01_flow/registers.h"

#include "viz/analysis/values.h"
#include "viz/draw/numbers.h"
#include "viz/text/templates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace viz {

namespace {

std::vector<uint32_t> different(const std::vector<Cell>& cells, uint32_t Cell::*member)
{
    std::set<uint32_t> values;
    for (const Cell& cell : cells)
        values.insert(cell.*member);
    return {values.begin(), values.end()};
}

// "As(3, 104..107)": what the lane itself moves at this step; empty where it moves nothing, or nothing that goes through its
// registers.
std::string moved_by_lane(const FlowPaint& paint)
{
    const recording::Access& access = paint.focus.access();
    const auto past = [](const Way& way) { return !way.from.in_lane && !way.to.in_lane; };
    if (!has_addresses(access) || access.width == 0 || !takes_part(access, paint.lane()) ||
        std::ranges::any_of(paint.facts.ways.ways, past))
        return "";
    const recording::Array& array = paint.recording().arrays[access.array];
    return element_name(array.name, cells_of_lane(access, paint.facts.tiling->elements()[access.array],
                                                  array.element_bytes, paint.lane()));
}

// The value, in few digits where it does not fit, else the letter.
void paint_value(const FlowPaint& paint, const draw::Box& box, Colour colour, std::optional<double> value,
                 const std::string& letter)
{
    paint.list->AddRectFilled(box.min, box.max, colour);
    const Colour ink = ink_on(colour);
    const bool roomy = box.height() >= draw::measure(paint.theme().heading, "0").y + paint.theme().px(8);
    const float edge = paint.theme().px(2); // or the digits of neighbours run together
    const draw::Box inner{{box.min.x + edge, box.min.y}, {box.max.x - edge, box.max.y}};
    if (value && (draw::text_in(paint.list, roomy ? paint.theme().heading : paint.theme().mono, inner, ink,
                                short_value(paint.recording(), *value)) ||
                  draw::text_in(paint.list, paint.theme().mono, inner, ink, brief_value(paint.recording(), *value))))
        return;
    draw::text_in(paint.list, paint.theme().mono, box, ink, letter);
}

// What the lane multiplies at this k: its elements of a column of A and of a row of B. Empty where it multiplies nothing at this
// step.
LaneFragment multiplied(const FlowPaint& paint)
{
    const auto& fragments = paint.facts.fragments;
    if (!fragments || paint.facts.phase().kind != PhaseKind::compute)
        return {};
    const LaneFragment& lane = fragments->lanes[paint.lane()];
    if (lane.a.empty() || lane.b.empty())
        return {};
    // Before its load a register holds what it held, which nothing here needs.
    return fragments->held_by(paint.lane());
}

bool has(const std::vector<Cell>& cells, uint32_t Cell::*member, uint32_t value)
{
    return std::ranges::any_of(cells, [&](const Cell& cell) { return cell.*member == value; });
}

Colour idle_colour(const Theme& theme)
{
    return mix(theme.panel, theme.ink, 0.12f);
}

// One element of A or B, `held` where the lane has it.
void paint_operand(const FlowPaint& paint, const draw::Box& box, std::size_t array, const std::vector<Cell>& held,
                   uint32_t Cell::*member, uint32_t value)
{
    const auto found = std::ranges::find_if(held, [&](const Cell& cell) { return cell.*member == value; });
    const std::string letter = array == 0 ? "a" : "b";
    if (found == held.end())
        return paint_value(paint, box, idle_colour(paint.theme()), {}, letter);
    const auto known = value_of(paint.recording(), array, *found);
    paint_value(paint, box, draw::operand_colour(paint.theme(), array),
                known ? std::optional(double{*known}) : std::nullopt, letter);
    if (paint.facts.operands_elsewhere)
        paint.list->AddRect(box.min, box.max, paint.theme().warning, 0, 0, paint.theme().px(1.5f));
}

void paint_operands_of(const FlowPaint& paint, const ProductGrid& grid, const LaneFragment& now)
{
    const float gap = grid.gap;
    for (std::size_t i = 0; i < grid.rows.size(); ++i) {
        const draw::Box first = grid.box(i, 0);
        paint_operand(paint, {{first.min.x - gap - grid.width, first.min.y}, {first.min.x - gap - 1, first.max.y}}, 0,
                      now.a, &Cell::row, grid.rows[i]);
    }
    for (std::size_t j = 0; j < grid.cols.size(); ++j) {
        const draw::Box first = grid.box(0, j);
        paint_operand(paint, {{first.min.x, first.min.y - gap - grid.height}, {first.max.x, first.min.y - gap - 1}}, 1,
                      now.b, &Cell::col, grid.cols[j]);
    }
}

// The sums of the lane; at their left and above them the operands of this k.
void paint_product(const FlowPaint& paint, const ProductGrid& grid)
{
    const Theme& theme = paint.theme();
    const LaneFragment now = multiplied(paint);
    if (!paint.facts.ways.operands) // else the tensor cores read them from shared memory
        paint_operands_of(paint, grid, now);
    const bool printed = grid.width >= draw::measure(theme.mono, "-.0").x;
    // A wgmma that makes as many sums of each lane as the lane has adds to all of them.
    constexpr std::size_t group_lanes = 128;
    const auto& group = paint.facts.ways.operands;
    const bool all_grow =
        group && paint.facts.results.size() * group_lanes <= std::size_t{group->rows_of_c()} * group->cols_of_c();
    const std::set<Cell> owned(paint.facts.results.begin(), paint.facts.results.end());
    for (std::size_t i = 0; i < grid.rows.size(); ++i)
        for (std::size_t j = 0; j < grid.cols.size(); ++j) {
            const Cell c{grid.rows[i], grid.cols[j]};
            if (!owned.contains(c))
                continue;
            const bool grows = all_grow || (has(now.a, &Cell::row, c.row) && has(now.b, &Cell::col, c.col));
            const auto sum = printed ? paint.facts.sum_so_far(c) : std::nullopt;
            paint_value(paint, grid.box(i, j), grows ? mix(theme.panel, paint.accent(), 0.75f) : idle_colour(theme),
                        sum, "");
        }
}

// Which elements of C, as far as there is room.
void paint_product_name(const FlowPaint& paint, const ProductGrid& grid)
{
    const std::string extent = fmt::format("{} x {}", grid.rows.size(), grid.cols.size());
    const auto range = [](const std::vector<uint32_t>& values) {
        const bool neighbours = values.back() - values.front() + 1 == values.size();
        return values.size() == 1 ? std::to_string(values.front())
               : neighbours       ? fmt::format("{}..{}", values.front(), values.back())
                                  : fmt::format("{}, {} ...", values[0], values[1]);
    };
    const std::string elements = fmt::format("C({}, {})", range(grid.rows), range(grid.cols));
    const std::string k = paint.facts.fragments && paint.facts.phase().kind != PhaseKind::store
                              ? fmt::format(", k = {}", paint.facts.fragments->k)
                              : "";
    const draw::Box& box = paint.scene.registers();
    for (const std::string& label : {elements + k, extent + " sums" + k, extent + " of C", extent})
        if (grid.corner.x + draw::measure(paint.theme().mono, label).x <= box.max.x)
            return draw::text(paint.list, paint.theme().mono, {grid.corner.x, grid.name_y}, paint.theme().ink_quiet,
                              label);
}

// The element whose products are written out: the one that was clicked, or the lane's first.
Cell written_out(const FlowPaint& paint)
{
    const std::vector<Cell>& results = paint.facts.results;
    const auto& c = paint.frame.selection.c;
    const auto chosen = c ? std::ranges::find(results, Cell{c->first, c->second}) : results.end();
    return chosen != results.end() ? *chosen : results.front();
}

struct PartOfSum {
    std::string words;
    Colour colour;
};

// Product by product, those that are in the sum, the one that comes next, and those to come: "4·5 + 3·5 + 5·2, so far 35".
std::vector<PartOfSum> terms_of(const FlowPaint& paint, const Cell& c)
{
    const Theme& theme = paint.theme();
    const recording::Recording& recording = paint.recording();
    const uint32_t K = recording.arrays[0].cols, end = *paint.facts.added_up_to();
    std::vector<PartOfSum> terms{{element_name(recording.arrays[2].name, {c}) + " = ", theme.ink_quiet}};
    for (uint32_t k = 0; k < K; ++k) {
        const auto a = value_of(recording, 0, {c.row, k}), b = value_of(recording, 1, {k, c.col});
        const bool next = k == end && paint.facts.phase().kind == PhaseKind::compute;
        if (a && b)
            terms.push_back(
                {fmt::format("{}{}·{}", k == 0 ? "" : " + ", short_value(recording, *a), short_value(recording, *b)),
                 next      ? paint.accent()
                 : k < end ? theme.ink
                           : theme.ink_faint});
    }
    if (const auto sum = paint.facts.sum_so_far(c); sum && end > 0)
        terms.push_back({end == K ? " = " + short_value(recording, *sum)
                                  : "  " + plain({"flow.so_far", {{"sum", short_value(recording, *sum)}}}),
                         end == K ? theme.good : theme.ink});
    return terms;
}

// Nothing where not all of them have room.
void paint_terms(const FlowPaint& paint, const ProductGrid& grid)
{
    const Theme& theme = paint.theme();
    const draw::Box& room = paint.scene.registers();
    const float line = draw::measure(theme.heading, "0").y + theme.px(4);
    const ImVec2 first{room.min.x, grid.corner.y + grid.height * static_cast<float>(grid.rows.size()) + theme.px(16)};
    const std::vector<PartOfSum> terms = terms_of(paint, written_out(paint));
    std::vector<ImVec2> places;
    ImVec2 place = first;
    for (const PartOfSum& term : terms) {
        const float wide = draw::measure(theme.heading, term.words).x;
        if (place.x > first.x && place.x + wide > room.max.x)
            place = {first.x, place.y + line};
        places.push_back(place);
        place.x += wide;
    }
    if (place.y + line > room.max.y)
        return;
    for (std::size_t i = 0; i < terms.size(); ++i)
        draw::text(paint.list, theme.heading, places[i], terms[i].colour, terms[i].words);
    mark(paint.marks(), "terms", first, {place.x, place.y + line});
}

// Below the two lines that say whose registers these are.
draw::Box product_room(const FlowScene& scene, const Theme& theme)
{
    const draw::Box& box = scene.registers();
    return {{box.min.x, box.min.y + 2 * (draw::measure(theme.text, "0").y + theme.px(3)) + theme.px(4)}, box.max};
}

// Whether the sum of one element is written out below them: of whole numbers, few of them.
bool shows_terms(const FlowFacts& facts)
{
    constexpr uint32_t most = 16; // products that the eye follows
    const recording::Recording& recording = facts.tiling->recording();
    return facts.in_registers && facts.added_up_to() && !facts.results.empty() && recording.arrays[0].cols <= most &&
           recording.inputs == recording::Inputs::small;
}

} // namespace

draw::Box ProductGrid::box(std::size_t row, std::size_t col) const
{
    const float x = corner.x + width * static_cast<float>(col), y = corner.y + height * static_cast<float>(row);
    return {{x, y}, {x + width - 1, y + height - 1}};
}

std::optional<Cell> ProductGrid::element_under(ImVec2 point) const
{
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < cols.size(); ++j)
            if (box(i, j).holds(point))
                return Cell{rows[i], cols[j]};
    return {};
}

std::optional<ProductGrid> product_grid(const FlowFacts& facts, const FlowScene& scene, const Theme& theme)
{
    const draw::Box room = product_room(scene, theme);
    if (!facts.in_registers)
        return {};
    ProductGrid grid{different(facts.results, &Cell::row), different(facts.results, &Cell::col)};
    if (grid.rows.empty() || grid.rows.size() > 64 || grid.cols.size() > 64)
        return {};
    const float heading = draw::measure(theme.mono, "0").y + theme.px(4), zoom = scene.zoom();
    grid.gap = theme.px(6);
    // Wide enough for a value where there is room, else square; few sums are larger.
    const bool few = grid.rows.size() <= 4 && grid.cols.size() <= 4;
    const float terms = shows_terms(facts) ? 3 * heading : 0;
    grid.height =
        std::floor(std::min((room.height() - 2 * heading - grid.gap - terms) / static_cast<float>(grid.rows.size() + 1),
                            theme.px(few ? 46.0f : 40.0f) * zoom));
    grid.width = std::floor(std::min((room.width() - grid.gap) / static_cast<float>(grid.cols.size() + 1),
                                     theme.px(few ? 68.0f : 56.0f) * zoom));
    if (grid.height < 3 || grid.width < 3)
        return {};
    grid.name_y = room.min.y;
    grid.corner = {room.min.x + grid.width + grid.gap, room.min.y + heading + grid.height + grid.gap};
    return grid;
}

void paint_registers(const FlowPaint& paint)
{
    const Theme& theme = paint.theme();
    const draw::Box& box = paint.scene.registers();
    const float line = draw::measure(theme.text, "0").y + theme.px(3);
    const std::string whose = plain({"flow.registers", {{"lane", index(paint.lane())}}});
    draw::text(paint.list, theme.text, box.min, theme.ink, whose);
    if (paint.facts.operands_elsewhere) {
        const ImVec2 at{box.min.x + draw::measure(theme.text, whose).x, box.min.y};
        const std::string said = plain({"flow.operands_elsewhere"});
        draw::text(paint.list, theme.text, at, theme.warning, said);
        const ImVec2 size = draw::measure(theme.text, said);
        mark(paint.marks(), "local memory", at, {at.x + size.x, at.y + size.y});
    }
    const std::string moved = moved_by_lane(paint);
    if (!moved.empty()) {
        const std::string arrow = is_store(paint.focus.access().op) ? "→ " : "← ";
        draw::text(paint.list, theme.mono_bold, {box.min.x, box.min.y + line}, paint.accent(), arrow + moved);
    }
    if (const auto grid = product_grid(paint.facts, paint.scene, theme)) {
        paint_product(paint, *grid);
        paint_product_name(paint, *grid);
        if (shows_terms(paint.facts))
            paint_terms(paint, *grid);
    }
}

} // namespace viz
