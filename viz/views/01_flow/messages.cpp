#include "viz/views/01_flow/messages.h"

#include "viz/draw/numbers.h"

#include <algorithm>

namespace viz {

namespace {

using recording::Recording;

// "= 0.4312", or nothing.
Messages value_message(const FlowFacts& facts, std::size_t array, const Cell& cell)
{
    const auto value = facts.value_now(array, cell);
    if (!value)
        return {};
    return {{"flow.value", {{"value", exact_value(facts.tiling->recording(), *value)}}}};
}

// "A(2, 4) = 0.4312"
Message held_message(const FlowFacts& facts, std::size_t array, const Cell& cell)
{
    return {"flow.held",
            {{"element", element_name(facts.tiling->recording().arrays[array].name, {cell})},
             {"value", value_message(facts, array, cell)}}};
}

// "As(4, 2), which holds A(2, 4) = 0.4312"
Message element_message(const FlowFacts& facts, std::size_t array, const Cell& cell)
{
    const auto source = facts.source_of(array, cell);
    Messages held;
    if (source && source->first != array)
        held.push_back(held_message(facts, source->first, source->second));
    else if (source)
        held = value_message(facts, array, cell);
    return {"flow.element",
            {{"element", element_name(facts.tiling->recording().arrays[array].name, {cell})}, {"held", held}}};
}

std::optional<Message> word_message(const FlowFacts& facts, const WordPlace& place)
{
    for (const RowBand& band : facts.rows.bands()) {
        if (place.row < band.top || place.row >= band.top + band.rows)
            continue;
        const uint64_t offset = (band.first + place.row - band.top) * row_bytes + place.word * 4;
        const auto cell = facts.tiling->elements()[band.array].at(offset);
        const Index word = index(offset / 4);
        if (!cell)
            return Message{"flow.padding", {{"word", word}, {"bank", index(place.word)}}};
        const Message element = element_message(facts, band.array, *cell);
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

std::optional<Message> what_is_at(const FlowFacts& facts, const FlowScene& scene, const Focus& focus, uint32_t lane,
                                  ImVec2 point)
{
    if (const auto word = scene.word_under(point))
        return word_message(facts, *word);
    if (const auto under = scene.lane_under(point); under || scene.registers().holds(point)) {
        const Messages said = lane_messages(facts, focus, under.value_or(lane));
        return said.empty() ? std::nullopt : std::optional(said.front());
    }
    for (std::size_t array = 0; array < scene.operands().size(); ++array)
        if (const auto cell = scene.operands()[array].element_under(point))
            return element_message(facts, array, *cell);
    return {};
}

Message sum_message(const FlowFacts& facts, const Cell& c)
{
    const Recording& recording = facts.tiling->recording();
    const std::string element = element_name(recording.arrays[2].name, {c});
    const auto sum = facts.sum_so_far(c);
    if (!sum)
        return {"flow.sum_unknown", {{"element", element}}};
    const uint32_t end = *facts.added_up_to();
    if (end == recording.arrays[0].cols)
        return {"flow.sum_whole", {{"element", element}, {"sum", exact_value(recording, *sum)}}};
    return {"flow.sum", {{"element", element}, {"k", index(end)}, {"sum", exact_value(recording, *sum)}}};
}

Messages lane_messages(const FlowFacts& facts, const Focus& focus, uint32_t lane)
{
    const Recording& recording = facts.tiling->recording();
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
        if (const auto source = facts.source_of(access.array, cell);
            source && facts.value_now(source->first, source->second))
            held.emplace_back(held_message(facts, source->first, source->second));
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
        result.push_back(sum_message(facts, facts.results.front()));
    return result;
}

} // namespace viz
