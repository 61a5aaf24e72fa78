#include "viz/views/01_flow/ways.h"

#include "viz/views/01_flow/flow_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace viz {

namespace {

using draw::with_alpha;

// The path of a transfer: one curve, or two curves through the lane if a lane requests a copy from memory to memory.
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

// The upper or lower edge of data that the hardware moves by itself.
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

// Adds an endpoint of a bulk copy. Returns the lower edge of its box in a matrix, or the upper edge of the highlighted
// tile.
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
    const Box& memory = part.scene.memory();
    const auto edge = [&](uint32_t row) { return std::clamp(part.scene.row_top(row), memory.min.y, memory.max.y); };
    const float top = edge(std::min(first->row, last->row)), bottom = edge(std::max(first->row, last->row) + 1);
    layer.shapes.push_back({.box = {{memory.min.x, top}, {memory.max.x, bottom}},
                            .fill = with_alpha(part.accent(), 0.35f),
                            .stroke = part.accent(),
                            .thick = 2});
    return Edge{{memory.min.x, top}, {memory.max.x, top}};
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

// Adds transfers that belong to no lane: a ribbon from box to box, or from the tiles up to the tensor core.
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

// Adds events between the lanes and memory that move no word: a barrier, a wait, a product.
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
        const float thick = theme.px(4);
        layer.shapes.push_back(box_shape({{lanes.min.x, y - thick / 2}, {lanes.min.x + half, y + thick / 2}}, colour));
        layer.shapes.push_back(box_shape({{lanes.max.x - half, y - thick / 2}, {lanes.max.x, y + thick / 2}}, colour));
    }
    return {.words = std::string(recording::name(op)),
            .at = {lanes.middle().x, y},
            .colour = colour,
            .side = Label::Side::middle,
            .plate = true,
            .must = true,
            .large = true};
}

} // namespace

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
        !part.facts.transfers.transfers.empty(); // otherwise the hardware moves data itself, or nothing moves
    const auto face = [&part, moves](uint32_t lane) {
        return part.facts.transfers.waiting >> lane & 1u ? mix(part.theme().background, part.theme().warning, 0.55f)
               : moves                                   ? part.lane_colour(lane)
                                                         : mix(part.theme().panel, part.theme().ink, 0.24f);
    };
    ShapeLayer layer;
    LabelLayer labels{
        {{.words = fmt::format("warp {}", part.focus.warp_index),
          .at = {part.scene.gutter().max.x, lanes.min.y + theme.px(3) + draw::line_height(theme.mono) / 2},
          .distance = 0,
          .side = Label::Side::left,
          .must = true,
          .mono = true}}};
    const float cell = lanes.width() / 32;
    const bool inside = cell > draw::measure(theme.mono, "31").x;
    for (uint32_t lane = 0; lane < 32; ++lane) {
        const Box box = part.scene.lane(lane);
        const bool active = mask >> lane & 1u;
        layer.shapes.push_back(
            {.box = box, .fill = active ? face(lane) : Colour{0}, .stroke = active ? Colour{0} : theme.border});
        if (lane == part.lane())
            layer.shapes.push_back({.box = {{box.min.x - 1, box.min.y - 1}, {box.max.x + 1, box.max.y + 1}},
                                    .stroke = theme.ink,
                                    .thick = 2});
        if (!inside && lane % 4 == 0) // above the lane
            labels.labels.push_back({.words = std::to_string(lane),
                                     .at = {box.min.x, box.min.y - draw::line_height(theme.mono) / 2},
                                     .distance = 0,
                                     .colour = theme.ink_faint,
                                     .side = Label::Side::right,
                                     .mono = true});
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

void add_cost(std::vector<Layer>& layers, const FlowPart& part)
{
    const Box &memory = part.scene.memory(), &lanes = part.scene.lanes();
    CalloutLayer callout{.lines = cost_lines(part),
                         .over = memory,
                         .otherwise = {{memory.min.x, lanes.max.y}, {memory.max.x, memory.min.y}},
                         .spare = part.scene.row_height()};
    // The words that the step touches, and the words in transit.
    for (const Transfer& transfer : part.facts.transfers.transfers) {
        for (const Endpoint& end : {transfer.from, transfer.to})
            if (const auto words = part.scene.words(end, transfer.bytes))
                callout.obstacles.push_back({*words, 8});
        if (const auto path = way_path(part, transfer))
            for (const float along : {0.4f, 0.6f, 0.8f, 0.9f})
                callout.obstacles.push_back({draw::around(path->at(along), 0.5f)});
    }
    layers.emplace_back(std::move(callout));
}

} // namespace viz
