#include "viz/views/01_flow/messages.h"

#include "viz/analysis/values.h"
#include "viz/draw/numbers.h"

#include <algorithm>

namespace viz {

namespace {

using recording::Recording;

// "= 0.4312", or nothing. C changes as the kernel runs: of it what the warp has added up by now.
Messages value_message(const Recording& recording, const FlowFacts& facts, std::size_t array, const Cell& cell)
{
    const auto value = array < 2 ? std::optional<double>(value_of(recording, array, cell))
                       : std::ranges::binary_search(facts.warp_results, cell) ? facts.result_so_far(cell)
                                                                              : std::nullopt;
    if (!value)
        return {};
    return {{"flow.value", {{"value", exact_value(recording, *value)}}}};
}

// "As(4, 2), which holds A(2, 4) = 0.4312"
Message element_message(const Recording& recording, const FlowFacts& facts, std::size_t array, const Cell& cell)
{
    const auto source = source_of(recording, facts, array, cell);
    Messages held;
    if (source && source->first != array)
        held.push_back({"flow.held",
                        {{"element", element_name(recording.arrays[source->first].name, {source->second})},
                         {"value", value_message(recording, facts, source->first, source->second)}}});
    else if (source)
        held = value_message(recording, facts, array, cell);
    return {"flow.element", {{"element", element_name(recording.arrays[array].name, {cell})}, {"held", held}}};
}

std::optional<Message> word_message(const Recording& recording, const FlowFacts& facts, const WordPlace& place)
{
    for (const RowBand& band : facts.rows.bands()) {
        if (place.row < band.top || place.row >= band.top + band.rows)
            continue;
        const uint64_t offset = (band.first + place.row - band.top) * row_bytes + place.word * 4;
        const auto cell = facts.tiling->elements()[band.array].at(offset);
        const Index word = index(offset / 4);
        if (!cell)
            return Message{"flow.padding", {{"word", word}, {"bank", index(place.word)}}};
        const Message element = element_message(recording, facts, band.array, *cell);
        if (facts.lines_below)
            return Message{"flow.line_word", {{"element", element}, {"sector", index(place.word / 8)}}};
        return Message{"flow.word", {{"element", element}, {"word", word}, {"bank", index(place.word)}}};
    }
    return {};
}

// Where the ways of a lane go, in the order of their turns.
std::vector<uint32_t> turns_of(const FlowFacts& facts, uint32_t lane)
{
    std::vector<uint32_t> turns;
    for (const Way& way : facts.ways.ways)
        if (way.lane == lane && std::ranges::find(turns, static_cast<uint32_t>(way.turn)) == turns.end())
            turns.push_back(static_cast<uint32_t>(way.turn));
    return turns;
}

} // namespace

std::optional<std::pair<std::size_t, Cell>> source_of(const Recording& recording, const FlowFacts& facts,
                                                      std::size_t array, const Cell& cell)
{
    if (recording.arrays[array].space == recording::Space::global)
        return std::pair{array, cell};
    const Origin origin = facts.tiling->contents().at(static_cast<uint8_t>(array), cell);
    if (origin.kind != Origin::Kind::element)
        return {};
    return std::pair{std::size_t{origin.array}, origin.cell};
}

std::optional<Message> what_is_at(const ShownStage& stage, const FlowFacts& facts, const FlowScene& scene,
                                  const Focus& focus, uint32_t lane, ImVec2 point)
{
    const Recording& recording = *stage.recording;
    if (const auto under = scene.lane_under(point)) {
        const Messages said = lane_messages(stage, facts, focus, *under);
        return said.empty() ? std::nullopt : std::optional(said.front());
    }
    if (const auto word = scene.word_under(point))
        return word_message(recording, facts, *word);
    if (scene.registers().holds(point)) {
        Messages said = lane_messages(stage, facts, focus, lane);
        return said.empty() ? std::nullopt : std::optional(std::move(said.front()));
    }
    for (std::size_t array = 0; array < scene.operands().size(); ++array)
        if (const auto cell = scene.operands()[array].element_under(point))
            return element_message(recording, facts, array, *cell);
    return {};
}

Message sum_message(const ShownStage& stage, const FlowFacts& facts, const Cell& c)
{
    const std::string element = element_name(stage.recording->arrays[2].name, {c});
    const auto sum = facts.sum_so_far(c);
    if (!sum)
        return {"flow.sum_unknown", {{"element", element}}};
    const uint32_t end = *facts.added_up_to();
    if (end == stage.recording->arrays[0].cols)
        return {"flow.sum_whole", {{"element", element}, {"sum", exact_value(*stage.recording, *sum)}}};
    return {"flow.sum", {{"element", element}, {"k", index(end)}, {"sum", exact_value(*stage.recording, *sum)}}};
}

Messages lane_messages(const ShownStage& stage, const FlowFacts& facts, const Focus& focus, uint32_t lane)
{
    const Recording& recording = *stage.recording;
    const recording::Access& access = focus.access();
    if (!has_addresses(access) || access.width == 0 || access.array >= recording.arrays.size())
        return {};
    if (!takes_part(access, lane))
        return {{"flow.lane_idle", {{"lane", index(lane)}}}};
    const recording::Array& array = recording.arrays[access.array];
    const std::vector<Cell> cells =
        cells_of_lane(access, facts.tiling->elements()[access.array], array.element_bytes, lane);
    Value::List held;
    for (const Cell& cell : cells)
        if (const auto source = source_of(recording, facts, access.array, cell))
            if (const Messages value = value_message(recording, facts, source->first, source->second); !value.empty())
                held.emplace_back(
                    Message{"flow.held",
                            {{"element", element_name(recording.arrays[source->first].name, {source->second})},
                             {"value", value}}});
    Value::List turns;
    for (const uint32_t turn : turns_of(facts, lane))
        turns.emplace_back(index(turn + 1));
    Messages served;
    if (facts.ways.bank && !turns.empty())
        served.push_back({"flow.served", {{"wavefronts", turns}}});
    const std::string element = element_name(array.name, cells);
    const bool store = is_store(access.op);
    Messages result{{"flow.lane_moves", {{"lane", index(lane)}, {"store", store}, {"element", element}}}};
    if (!held.empty())
        result = {
            {"flow.lane",
             {{"lane", index(lane)}, {"store", store}, {"element", element}, {"served", served}, {"held", held}}}};
    else if (!served.empty())
        result = {{"flow.lane_served",
                   {{"lane", index(lane)}, {"store", store}, {"element", element}, {"wavefronts", turns}}}};
    if (!facts.results.empty() && facts.added_up_to())
        result.push_back(sum_message(stage, facts, facts.results.front()));
    return result;
}

} // namespace viz
