// Layers of the data path: the matrices and the memory with their contents, the transfers of the step, and its cost.
#include "viz/analysis/values.h"
#include "viz/views/01_flow/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <utility>

namespace viz {

namespace {

using draw::with_alpha;

void add_matrix(std::vector<Layer>& layers, const FlowPart& part, std::size_t array)
{
    const Theme& theme = part.theme();
    const MatrixFrame& frame = part.scene.operands()[array];
    if (frame.shape.rows == 0 || frame.shape.cols == 0)
        return;
    const std::string& name = part.recording().arrays[array].name;
    MatrixLayer matrix{.name = part.name("matrix " + name), .frame = frame};
    const auto fill = [&](const auto& cells, Colour colour, float least) {
        matrix.parts.push_back({placed(frame, cells), colour, least});
    };
    // The accent is reserved for moving values and their k-tile.
    const Colour used = mix(theme.panel, theme.ink, 0.14f);
    const BlockTiling& tiling = *part.facts.tiling;
    if (array == array_C)
        fill(tiling.tile(), used, 2);
    else if (const auto band = array < array_C ? tiling.bands()[array].bounds : std::nullopt)
        fill(std::vector<CellRect>{*band}, used, 2);
    if (array < array_C)
        fill(part.facts.slice[array], mix(theme.panel, part.accent(), 0.6f), 2);
    if (array == array_C)
        fill(part.facts.thread_tile, mix(theme.panel, theme.ink, 0.45f), 3);
    fill(part.facts.highlight.all[array], part.accent(), 2);
    fill(part.facts.highlight.lane[array], theme.ink, 3);
    layers.emplace_back(std::move(matrix));
    const Box box = frame.box();
    const float above = box.min.y - theme.px(2) - draw::line_height(theme.mono_bold) / 2;
    Label label = words_at({box.min.x, above}, Label::Side::right, name, {.strong = true});
    if (array != array_B && multiplies(part.recording()) && !frame.shape.wrapped) { // placed beside A or C
        label.at = {array == array_A ? box.min.x : box.max.x, box.middle().y};
        label.distance = 5;
        label.side = array == array_A ? Label::Side::left : Label::Side::right;
    }
    layers.emplace_back(LabelLayer{{std::move(label)}});
}

// Adds the rows of arrays, with the words that hold elements of A and of B. Colours are pale, so that moving values are
// conspicuous.
void add_rows(ShapeLayer& layer, const FlowPart& part)
{
    const Theme& theme = part.theme();
    const Box& box = part.scene.memory();
    const auto fill = [&](const Box& place, Colour colour) { layer.shapes.push_back(box_shape(place, colour)); };
    const std::vector<RowBand>& bands = part.facts.rows.bands();
    for (std::size_t i = 0; i < bands.size(); ++i) {
        const Box rows = part.scene.rows_box(bands[i].top, bands[i].rows);
        if (rows.height() <= 0)
            continue;
        fill(rows, draw::empty_colour(theme));
        if (i > 0 && bands[i - 1].array != bands[i].array)
            fill({{rows.min.x, rows.min.y - theme.px(1)}, {rows.max.x, rows.min.y + theme.px(1)}}, theme.ink_faint);
    }
    for (const HeldWords& held : part.facts.held)
        if (const auto place = part.scene.words(held))
            fill(*place, mix(theme.panel, theme.ink, held.array == array_B ? 0.34f : 0.24f));
    const Colour line = with_alpha(theme.background, part.scene.row_height() < 8 ? 0.25f : 0.5f);
    for (int bank = 0; bank <= 32; ++bank) {
        const float x = std::round(box.min.x + part.scene.word_width() * static_cast<float>(bank));
        fill({{x - 1, box.min.y}, {x, box.max.y}}, line);
    }
    if (part.scene.row_height() >= 4)
        for (uint32_t row = 0; row <= part.scene.rows_shown(); ++row) {
            const float y = part.scene.row_top(part.scene.first_row() + row);
            fill({{box.min.x, y - 1}, {box.max.x, y}}, line);
        }
}

// Adds the whole 32-byte sector that is moved for the words at this endpoint.
void add_sector(ShapeLayer& layer, const FlowPart& part, const Transfer& transfer, const Endpoint& end)
{
    constexpr uint32_t words = model::sector_bytes / 4;
    const auto place = part.facts.rows.place(end);
    const auto box = place ? part.scene.words(WordPlace{place->row, place->word / words * words}, words) : std::nullopt;
    if (box && part.motion.along(transfer.turn) > 0)
        layer.shapes.push_back(box_shape(*box, mix(part.theme().panel, part.theme().warning, 0.45f)));
}

// Adds the words at this endpoint. They are faint until they are served.
void add_words(ShapeLayer& layer, const FlowPart& part, const Transfer& transfer, const Endpoint& end)
{
    const auto box = part.scene.words(end, transfer.bytes);
    if (!box)
        return;
    const Colour colour = part.colour(transfer);
    layer.shapes.push_back(box_shape(*box, part.is_there(transfer, end) ? colour : with_alpha(colour, 0.35f)));
    if (transfer.lane == part.lane())
        layer.shapes.push_back(outline_around(*box, part.theme().ink));
}

// Returns the first element, within a row of words, at which a row of the array begins. Returns nothing if none does.
// If the array is stored column by column, the same for columns.
std::optional<Cell> row_that_begins(const Elements& elements, const RowBand& band, uint32_t row, bool by_column)
{
    const auto at = elements.at((band.first + row) * row_bytes);
    if (!at)
        return {};
    const auto before = row == 0 ? std::nullopt : elements.at((band.first + row - 1) * row_bytes);
    return before && (by_column ? before->col == at->col : before->row == at->row) ? std::nullopt : at;
}

struct RowName {
    Label label;
    // Even rows have priority over odd ones, recursively. Where names would overlap, all odd ones are omitted, then all
    // that are no multiples of 4, and so on, which keeps distances equal.
    int importance = 0;
};

constexpr int importance_of_first = 64; // such names are never omitted

// Omits names until no two overlap, but for those that are never omitted.
void keep_apart(std::vector<RowName>& names, float high)
{
    const auto overlap = [&](const RowName& one, const RowName& next) {
        return std::min(one.importance, next.importance) < importance_of_first &&
               next.label.at.y - one.label.at.y < high;
    };
    for (int least = 1; least < 32 && std::ranges::adjacent_find(names, overlap) != names.end(); ++least)
        std::erase_if(names, [&](const RowName& name) { return name.importance < least; });
}

// Adds the name "As 0" at the first visible row of a band, and row numbers below it. If `goes_on`, the previous band
// has the same array.
void add_row_names(std::vector<RowName>& names, const FlowPart& part, const RowBand& band, bool goes_on)
{
    const Theme& theme = part.theme();
    const Elements& elements = part.facts.elements(band.array);
    const std::string& array = part.recording().arrays[band.array].name;
    const Box &memory = part.scene.memory(), &gutter = part.scene.gutter();
    const float half = draw::line_height(theme.mono) / 2 + theme.px(1);
    std::optional<uint32_t> last;
    bool begun = goes_on && !names.empty();
    const auto origin = elements.at(0), second = elements.at(part.recording().arrays[band.array].element_bytes);
    const bool by_column =
        part.recording().arrays[band.array].cols > 1 && origin && second && origin->col == second->col;
    for (uint32_t row = 0; row < band.rows; ++row) {
        const auto begins = row_that_begins(elements, band, row, by_column);
        if (!begins)
            continue;
        const uint32_t number = by_column ? begins->col : begins->row;
        // Column blocks of the array follow one another in memory, and this row begins another block.
        const bool again = !by_column && last && begins->row < *last && begins->col > 0;
        last = begins->row;
        const float top = part.scene.row_top(band.top + row);
        if (top < memory.min.y || top >= memory.max.y)
            continue;
        const float middle = std::clamp(top + part.scene.row_height() / 2, memory.min.y + half,
                                        std::max(memory.min.y + half, memory.max.y - half));
        std::vector<std::string> words{std::to_string(number)};
        if (!begun && by_column)
            words = {fmt::format("{} col {}", array, number), array};
        else if (!begun)
            words = {fmt::format("{} {}", array, number), array};
        else if (again)
            words = {fmt::format("col {}", begins->col), std::to_string(begins->col)};
        const bool strong = !begun || again;
        begun = true;
        names.push_back(
            {words_at({gutter.max.x, middle}, Label::Side::left,
                      draw::first_fitting(strong ? theme.mono_bold : theme.mono, gutter.width(), words),
                      {.colour = strong ? theme.ink_quiet : theme.ink_faint, .strong = strong, .mono = true}),
             strong ? importance_of_first : std::countr_zero(number)});
    }
}

// Returns the content of a word, or nothing if it is not an element of A or B.
draw::NamedValue word_value(const FlowPart& part, const WordPlace& place)
{
    const FlowFacts& facts = part.facts;
    const auto shown = facts.cell_at(place);
    const auto source = shown ? facts.source_of(shown->first, shown->second) : std::nullopt;
    if (!source || source->first > array_B ||
        part.recording().arrays[shown->first].element_bytes != 4) // the word holds several smaller elements
        return {};
    Colour ink = part.theme().ink; // has contrast with the step's colour of the word
    const auto covering = std::ranges::find_if(
        facts.transfers.transfers, [&](const Transfer& transfer) { return facts.rows.covers(transfer, place); });
    if (covering != facts.transfers.transfers.end()) {
        const bool begins = facts.rows.covers(covering->from, covering->bytes, place);
        if (part.is_there(*covering, begins ? covering->from : covering->to))
            ink = ink_on(part.colour(*covering));
    }
    const auto value = value_of(part.recording(), source->first, source->second);
    return {element_name(part.recording().arrays[shown->first].name, {shown->second}),
            value ? short_value(part.recording(), *value) : "", ink};
}

// Returns an ink that has contrast with the step's colour of an element; see add_matrix().
Colour ink_on_element(const FlowPart& part, std::size_t array, const Cell& cell)
{
    const Theme& theme = part.theme();
    const auto has = [&](const std::vector<Cell>& cells) { return std::ranges::find(cells, cell) != cells.end(); };
    if (has(part.facts.highlight.lane[array]))
        return ink_on(theme.ink);
    if (has(part.facts.highlight.all[array]))
        return ink_on(part.accent());
    if (array == array_C && has(part.facts.results))
        return ink_on(mix(theme.panel, theme.ink, 0.45f));
    return array == array_C && !std::ranges::binary_search(part.facts.stored, cell) ? theme.ink_quiet : theme.ink;
}

MatrixLayer values_of_matrix(const FlowPart& part, std::size_t array)
{
    const MatrixFrame& frame = part.scene.operands()[array];
    const recording::Array& of = part.recording().arrays[array];
    MatrixLayer values{.frame = frame, .bare = true, .widest = std::string(widest_value(part.recording()))};
    if (array <= array_C)
        values.value = [&part, &of, array,
                        named = draw::names_fit(part.theme(), of, frame.cell - part.theme().px(6))](const Cell& cell) {
            const auto value = part.facts.value_now(array, cell);
            return draw::NamedValue{element_name(of.name, {cell}), value ? short_value(part.recording(), *value) : "",
                                    ink_on_element(part, array, cell), named};
        };
    values.tip = [&part, array](const Cell& cell) { return element_words(part.facts, array, cell); };
    return values;
}

MatrixLayer values_of_memory(const FlowPart& part)
{
    const FlowScene& scene = part.scene;
    const float cell = scene.word_width();
    const auto word = [first = scene.first_row()](const Cell& at) { return WordPlace{first + at.row, at.col}; };
    return {.frame = {scene.memory().min, cell, plain_shape(scene.rows_shown(), 32), scene.row_height() / cell},
            .bare = true,
            .value = [&part, word](const Cell& at) { return word_value(part, word(at)); },
            .widest = std::string(widest_value(part.recording())),
            .tip = [&part, word](const Cell& at) { return word_words(part.facts, word(at)); },
            .click = [&part, word](const Cell& at) -> Action {
                const uint32_t lanes = part.facts.lanes_that_want(word(at));
                if (lanes == 0)
                    return {};
                return [lanes](const ViewScene& shown) {
                    shown.selection.lane = static_cast<uint32_t>(std::countr_zero(lanes));
                };
            }};
}

// The path of a transfer: one curve, or two through the lane that requests a copy from memory to memory.
struct WayPath {
    std::vector<std::array<ImVec2, 4>> curves;

    ImVec2 at(float share) const
    {
        const float along = share * static_cast<float>(curves.size());
        const std::size_t curve = std::min(static_cast<std::size_t>(along), curves.size() - 1);
        return curve_at(curves[curve], along - static_cast<float>(curve));
    }
};

// Returns a curve that leaves and arrives vertically.
std::array<ImVec2, 4> upright(ImVec2 from, ImVec2 to)
{
    const float middle = (to.y - from.y) / 2;
    return {from, {from.x, from.y + middle}, {to.x, to.y - middle}, to};
}

// Returns nothing if one of its endpoints is not shown.
std::optional<WayPath> way_path(const FlowPart& part, const Transfer& transfer)
{
    auto from = part.scene.point(transfer.from, transfer.bytes), to = part.scene.point(transfer.to, transfer.bytes);
    if (!from || !to)
        return {};
    const Box& lanes = part.scene.lanes();
    if (transfer.from.in_lane && transfer.to.in_lane) { // a shuffle: drawn below the lanes
        const float deep = lanes.max.y + std::min(part.theme().px(90), 12 + std::abs(to->x - from->x) * 0.35f);
        return WayPath{{{{{from->x, lanes.max.y}, {from->x, deep}, {to->x, deep}, {to->x, lanes.max.y}}}}};
    }
    if (!transfer.from.in_lane && !transfer.to.in_lane && from->y < lanes.min.y && to->y > lanes.max.y) {
        const float x = part.scene.lane(transfer.lane).middle().x;
        return WayPath{{upright(*from, {x, lanes.min.y}), upright({x, lanes.max.y}, *to)}};
    }
    const auto leave = [&](ImVec2& point, const Endpoint& end, float other) {
        if (end.in_lane)
            point.y = other < lanes.min.y ? lanes.min.y : lanes.max.y;
    };
    leave(*from, transfer.from, to->y);
    leave(*to, transfer.to, from->y);
    return WayPath{{upright(*from, *to)}};
}

// An edge of data that the hardware moves without lanes.
struct Edge {
    ImVec2 left, right;
};

// Adds a ribbon that grows from one edge to the other.
void add_ribbon(ShapeLayer& layer, const FlowPart& part, const Edge& from, const Edge& to)
{
    const auto along = static_cast<float>(part.motion.along(0));
    const auto between = [along](ImVec2 a, ImVec2 b) {
        return ImVec2{a.x + (b.x - a.x) * along, a.y + (b.y - a.y) * along};
    };
    const ImVec2 left = between(from.left, to.left), right = between(from.right, to.right);
    layer.shapes.push_back({.kind = Shape::Kind::polygon,
                            .points = {from.left, from.right, right, left},
                            .fill = with_alpha(part.accent(), 0.16f)});
    for (const auto& [begin, end] : {std::pair(from.left, left), std::pair(from.right, right)})
        layer.shapes.push_back(
            {.kind = Shape::Kind::line, .points = {begin, end}, .stroke = with_alpha(part.accent(), 0.6f)});
}

// Highlights the endpoint of a bulk copy if it is a tile. Returns the tile's upper edge, or the lower edge of the box
// in a matrix.
std::optional<Edge> add_box(ShapeLayer& layer, const FlowPart& part, uint8_t array, const CellRect& cells)
{
    const recording::Array& of = part.recording().arrays[array];
    if (of.space == recording::Space::global && array < 3) {
        const MatrixFrame& frame = part.scene.operands()[array];
        const Box whole = frame.box(), inside = frame.box_of(cells);
        const float y = std::min(whole.max.y, inside.max.y);
        return Edge{{inside.min.x, y}, {std::min(whole.max.x, inside.max.x), y}};
    }
    const auto first = part.facts.rows.place(array, of.offset_of(cells.row, 0));
    const auto last = part.facts.rows.place(array, of.offset_of(cells.row + cells.rows - 1, 0));
    if (!first || !last)
        return {};
    const auto [top, bottom] = std::minmax(first->row, last->row);
    const Box rows = part.scene.rows_box(top, bottom + 1 - top);
    layer.shapes.push_back(
        {.box = rows, .fill = with_alpha(part.accent(), 0.35f), .stroke = part.accent(), .thick = 2});
    return Edge{rows.min, {rows.max.x, rows.min.y}};
}

// Adds the words of a tile that the tensor core reads, and returns their common upper edge.
std::optional<Edge> add_operand_words(ShapeLayer& layer, const FlowPart& part, uint8_t array)
{
    std::optional<Box> all;
    for (const HeldWords& words : part.facts.operand_words)
        if (const auto box = words.array == array ? part.scene.words(words) : std::nullopt) {
            layer.shapes.push_back(box_shape(*box, with_alpha(part.accent(), 0.7f)));
            const Box before = all.value_or(*box);
            all = {{std::min(before.min.x, box->min.x), std::min(before.min.y, box->min.y)},
                   {std::max(before.max.x, box->max.x), std::max(before.max.y, box->max.y)}};
        }
    return all ? std::optional(Edge{all->min, {all->max.x, all->min.y}}) : std::nullopt;
}

// Adds transfers without lanes: a ribbon from box to box, or from the tiles to the tensor cores.
void add_bulk(ShapeLayer& layer, const FlowPart& part)
{
    if (const auto& box = part.facts.transfers.box) {
        const auto from = add_box(layer, part, box->from, box->source), to = add_box(layer, part, box->to, box->target);
        if (from && to)
            add_ribbon(layer, part, *from, *to);
    }
    const Box& lanes = part.scene.lanes();
    if (const auto& operands = part.facts.transfers.operands)
        for (const uint8_t array : {operands->a, operands->b})
            if (const auto from = add_operand_words(layer, part, array))
                add_ribbon(layer, part, *from, {{lanes.min.x, lanes.max.y}, lanes.max});
}

// Adds events that move no word, between the lanes and memory: a barrier, a wait, a product.
Label add_event(ShapeLayer& layer, const FlowPart& part)
{
    const Theme& theme = part.theme();
    const Box& lanes = part.scene.lanes();
    const float y = std::round((lanes.max.y + part.scene.memory().min.y) / 2);
    const recording::Op op = part.access().op;
    const bool holds = op == recording::Op::barrier || op == recording::Op::wait || op == recording::Op::async_wait;
    const Colour colour = holds ? theme.barrier : theme.ink_quiet;
    if (holds) { // a gate that closes from both sides and opens again
        const auto shut = static_cast<float>(1 - std::abs(2 * part.motion.along(0) - 1));
        const float half = lanes.width() / 2 * (part.motion.over(1) ? 1.0f : std::max(shut, 0.05f));
        for (const float left : {lanes.min.x, lanes.max.x - half})
            layer.shapes.push_back(box_shape({{left, y - theme.px(2)}, {left + half, y + theme.px(2)}}, colour));
    }
    return words_at({lanes.middle().x, y}, Label::Side::middle, std::string(recording::name(op)),
                    {.colour = colour, .plate = true, .must = true, .large = true});
}

} // namespace

void add_matrices(std::vector<Layer>& layers, const FlowPart& part)
{
    for (std::size_t array = 0; array < part.scene.operands().size(); ++array)
        add_matrix(layers, part, array);
}

void add_memory(std::vector<Layer>& layers, const FlowPart& part)
{
    if (part.facts.rows.rows() == 0)
        return;
    ShapeLayer layer;
    add_rows(layer, part);
    const std::vector<Transfer>& transfers = part.facts.transfers.transfers;
    for (std::size_t i = 0; part.facts.lines_below && i < transfers.size(); ++i)
        for (const Endpoint& end : {transfers[i].from, transfers[i].to})
            add_sector(layer, part, transfers[i], end);
    for (const Transfer& transfer : transfers)
        for (const Endpoint& end : {transfer.from, transfer.to})
            add_words(layer, part, transfer, end);
    layer.shapes.push_back(said_of({.box = part.scene.memory()}, {.name = part.name("flow memory")}));
    layers.emplace_back(std::move(layer));
}

void add_names_of_memory(std::vector<Layer>& layers, const FlowPart& part)
{
    if (part.facts.rows.rows() == 0)
        return;
    std::vector<RowName> names;
    std::optional<uint8_t> last;
    for (const RowBand& band : part.facts.rows.bands()) {
        add_row_names(names, part, band, last == band.array);
        last = band.array;
    }
    const Theme& theme = part.theme();
    keep_apart(names, draw::line_height(theme.mono));
    std::ranges::stable_sort(names, std::ranges::greater{}, &RowName::importance);
    LabelLayer labels;
    for (RowName& name : names)
        labels.labels.push_back(std::move(name.label));

    const Box& box = part.scene.memory();
    const float cell = part.scene.word_width(), high = draw::line_height(theme.mono),
                top = box.min.y - high - theme.px(1);
    const int stride = cell >= draw::measure(theme.mono, "31 ").x ? 1 : 4;
    ShapeLayer grounds;
    for (int word = 0; word < 32; word += stride) {
        const std::string number = std::to_string(word);
        const float half = draw::measure(theme.mono, number).x / 2;
        const float middle = box.min.x + cell * static_cast<float>(word) + std::max(half, cell / 2);
        grounds.shapes.push_back(box_shape({{middle - half - 1, top}, {middle + half + 1, box.min.y - 1}},
                                           draw::with_alpha(theme.background, 0.8f)));
        labels.labels.push_back(
            words_at({middle, top + high / 2}, Label::Side::middle, number, {.must = true, .mono = true}));
    }
    labels.labels.push_back(words_at({part.scene.gutter().max.x, top + high / 2}, Label::Side::left,
                                     part.facts.lines_below ? "word" : "bank",
                                     {.colour = theme.ink_faint, .must = true, .mono = true}));
    layers.emplace_back(std::move(grounds));
    layers.emplace_back(std::move(labels));
}

void add_values(std::vector<Layer>& layers, const FlowPart& part)
{
    for (std::size_t array = 0; array < part.scene.operands().size(); ++array)
        layers.emplace_back(values_of_matrix(part, array));
    layers.emplace_back(values_of_memory(part));
}

void add_ways(std::vector<Layer>& layers, const FlowPart& part)
{
    const StepWays& transfers = part.facts.transfers;
    ShapeLayer layer;
    LabelLayer labels;
    add_bulk(layer, part);
    if (transfers.transfers.empty() && !transfers.box && !transfers.operands)
        labels.labels.push_back(add_event(layer, part));
    const float half = std::round(part.theme().px(3));
    for (const Transfer& transfer : transfers.transfers) {
        const auto path = way_path(part, transfer);
        if (!path)
            continue;
        const bool chosen = transfer.lane == part.lane() || (part.lit_lanes >> transfer.lane & 1u);
        const Colour colour = part.colour(transfer);
        for (const auto& curve : path->curves)
            layer.shapes.push_back({.kind = Shape::Kind::curve,
                                    .points = {curve.begin(), curve.end()},
                                    .stroke = with_alpha(chosen ? part.theme().ink : colour, chosen ? 0.95f : 0.4f),
                                    .thick = chosen ? 2.0f : 1.0f});
        if (const double along = part.motion.along(transfer.turn); along < 1)
            layer.shapes.push_back(box_shape(draw::around(path->at(static_cast<float>(along)), half), colour));
    }
    layers.emplace_back(std::move(layer));
    layers.emplace_back(std::move(labels));
}

void add_lanes(std::vector<Layer>& layers, const FlowPart& part)
{
    const Theme& theme = part.theme();
    const Box& lanes = part.scene.lanes();
    const uint32_t mask = part.access().op == recording::Op::barrier ? 0 : part.access().mask;
    const bool moves =
        !part.facts.transfers.transfers.empty(); // otherwise hardware moves data without lanes, or nothing moves
    const auto face = [&part, moves](uint32_t lane) {
        return part.facts.transfers.waiting >> lane & 1u ? mix(part.theme().background, part.theme().warning, 0.55f)
               : moves                                   ? part.lane_colour(lane)
                                                         : mix(part.theme().panel, part.theme().ink, 0.24f);
    };
    ShapeLayer layer;
    const float line = draw::line_height(theme.mono), cell = part.scene.word_width();
    LabelLayer labels{{words_at({part.scene.gutter().max.x, lanes.min.y + theme.px(3) + line / 2}, Label::Side::left,
                                fmt::format("warp {}", part.focus.warp_index), {.must = true, .mono = true})}};
    const bool inside = cell > draw::measure(theme.mono, "31").x;
    for (uint32_t lane = 0; lane < 32; ++lane) {
        const Box box = part.scene.lane(lane);
        const bool active = mask >> lane & 1u;
        layer.shapes.push_back(
            {.box = box, .fill = active ? face(lane) : Colour{0}, .stroke = active ? Colour{0} : theme.border});
        if (lane == part.lane())
            layer.shapes.push_back(outline_around(box, theme.ink));
        if (!inside && lane % 4 == 0) // above the lane
            labels.labels.push_back(words_at({box.min.x, box.min.y - line / 2}, Label::Side::right,
                                             std::to_string(lane), {.colour = theme.ink_faint, .mono = true}));
    }
    layer.shapes.push_back(said_of({.box = lanes}, {.name = part.name("flow lanes")}));
    layers.emplace_back(std::move(layer));
    layers.emplace_back(std::move(labels));
    layers.emplace_back(MatrixLayer{
        .frame = {lanes.min, cell, plain_shape(1, 32), lanes.height() / cell},
        .bare = true,
        .value =
            [&part, mask, face](const Cell& at) {
                return draw::NamedValue{"", std::to_string(at.col),
                                        mask >> at.col & 1u ? ink_on(face(at.col)) : part.theme().ink_faint, false};
            },
        .widest = "31",
        .tip = [&part](const Cell& at) { return lane_words(part.facts, part.focus, at.col); },
        .click = [](const Cell& at) -> Action {
            return [lane = at.col](const ViewScene& shown) { shown.selection.lane = lane; };
        }});
}

void add_cost(std::vector<Layer>& layers, const FlowPart& part, std::vector<CalloutLayer::Line> lines)
{
    const Box &memory = part.scene.memory(), &lanes = part.scene.lanes();
    CalloutLayer callout{.lines = std::move(lines),
                         .over = memory,
                         .otherwise = {{memory.min.x, lanes.max.y}, {memory.max.x, memory.min.y}},
                         .spare = part.scene.row_height()};
    // The words that the step touches, and the words in transit.
    for (const Transfer& transfer : part.facts.transfers.transfers) {
        for (const Endpoint& end : {transfer.from, transfer.to})
            if (const auto words = part.scene.words(end, transfer.bytes))
                callout.obstacles.push_back({*words, 1000}); // more than all paths together
        if (const auto path = way_path(part, transfer))
            for (const float along : {0.4f, 0.6f, 0.8f, 0.9f})
                callout.obstacles.push_back({draw::around(path->at(along), 0.5f)});
    }
    layers.emplace_back(std::move(callout));
}

} // namespace viz
