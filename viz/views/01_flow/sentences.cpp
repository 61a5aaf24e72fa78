#include "viz/views/01_flow/flow_part.h"

#include "viz/analysis/bank_picture.h"
#include "viz/analysis/sectors.h"
#include "viz/draw/numbers.h"
#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace viz {

namespace {

Value strong_count(uint64_t count)
{
    return Value(count).as(Meaning::strong);
}

// Returns " = 0.4312", or nothing.
Rich value_words(const FlowFacts& facts, std::size_t array, const Cell& cell)
{
    const auto value = facts.value_now(array, cell);
    return value ? rich(" = {}", exact_value(facts.tiling->recording(), *value)) : Rich();
}

// Returns "A(2, 4) = 0.4312".
Rich held_words(const FlowFacts& facts, std::size_t array, const Cell& cell)
{
    return rich("{}{}", element_name(facts.tiling->recording().arrays[array].name, {cell}),
                value_words(facts, array, cell));
}

// Returns the turns in which a lane's words move.
Value::List turns_of(const FlowFacts& facts, uint32_t lane)
{
    std::vector<int> turns;
    for (const Transfer& transfer : facts.transfers.transfers)
        if (transfer.lane == lane && std::ranges::find(turns, transfer.turn) == turns.end())
            turns.push_back(transfer.turn);
    Value::List said;
    for (const int turn : turns)
        said.emplace_back(index(turn + 1));
    return said;
}

void add_waves(const FlowPart& part, std::vector<CalloutLayer::Line>& lines)
{
    constexpr int most = 4;
    const StepWays& transfers = part.facts.transfers;
    for (int turn = 0; turn < std::min(transfers.turns, most); ++turn) {
        // Handles turns whose receiving lanes are not known, too.
        const auto at = static_cast<std::size_t>(turn);
        uint32_t lanes = at < transfers.asked.size() ? transfers.asked[at] : 0;
        const Transfer* any = nullptr;
        for (const Transfer& transfer : transfers.transfers)
            if (transfer.turn == turn) {
                lanes |= 1u << transfer.lane;
                any = any == nullptr || transfer.waits ? &transfer : any;
            }
        lines.push_back({.words = fmt::format("wave {}  {}", turn + 1, lane_list(lanes)),
                         .colour = any != nullptr ? part.colour(*any) : part.accent(),
                         .mono = true});
    }
    if (transfers.turns > most)
        lines.push_back({.words = fmt::format("and {} more", transfers.turns - most),
                         .colour = part.theme().ink_quiet,
                         .mono = true});
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

} // namespace

Rich headline_of_step(const recording::Recording& recording, const StepWays& transfers, const recording::Access& access)
{
    if (const auto& operands = transfers.operands)
        return rich("{} x {} sums of {} products", strong_count(operands->rows_of_c()),
                    strong_count(operands->cols_of_c()), strong_count(operands->depth));
    if (const auto& box = transfers.box)
        return rich("{} copied, asked for by one lane",
                    Value(bytes(static_cast<double>(uint64_t{box->source.rows} * box->source.cols *
                                                    recording.arrays[box->from].element_bytes)))
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
    return rich("{}", Value(recording::name(access.op)).as(Meaning::quiet));
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
            {.words = fmt::format("{} moved for {} asked for", counted(sectors * model::sector_bytes, "byte", "bytes"),
                                  thousands(asked)),
             .colour = theme.ink_quiet});
    }
    return lines;
}

Rich element_words(const FlowFacts& facts, std::size_t array, const Cell& cell)
{
    const auto source = facts.source_of(array, cell);
    Rich held;
    if (source)
        held = source->first != array ? rich(" {}", held_words(facts, source->first, source->second))
                                      : value_words(facts, array, cell);
    return rich("`{}`{}", element_name(facts.tiling->recording().arrays[array].name, {cell}), held);
}

Rich word_words(const FlowFacts& facts, const WordPlace& place)
{
    const RowBand* const band = facts.rows.band_of(place.row);
    if (band == nullptr)
        return {};
    const uint64_t offset = band->offset_of(place);
    const auto cell = facts.tiling->elements()[band->array].at(offset);
    const Index word = index(offset / 4), bank = index(place.word);
    if (!cell)
        return rich("padding · word {} · bank {}", word, bank);
    const Rich element = element_words(facts, band->array, *cell);
    return facts.lines_below ? rich("{} · sector {} of its line", element, index(place.word / 8))
                             : rich("{} · word {} · bank {}", element, word, bank);
}

Rich lane_words(const FlowFacts& facts, const Focus& focus, uint32_t lane)
{
    const recording::Recording& recording = facts.tiling->recording();
    const recording::Access& access = focus.access();
    if (!has_addresses(access) || access.width == 0 || access.array >= recording.arrays.size())
        return {};
    if (!takes_part(access, lane))
        return rich("Lane {} takes no part.", index(lane));
    const recording::Array& array = recording.arrays[access.array];
    const std::vector<Cell> cells =
        cells_of_lane(access, facts.tiling->elements()[access.array], array.element_bytes, lane);
    std::vector<Rich> held;
    for (const Cell& cell : cells)
        if (const auto source = facts.source_of(access.array, cell);
            source && facts.value_now(source->first, source->second))
            held.push_back(held_words(facts, source->first, source->second));
    const Value::List turns = turns_of(facts, lane);
    return rich("Lane {} {} `{}`{}{}.", index(lane), is_store(access.op) ? "writes" : "reads",
                element_name(array.name, cells),
                facts.transfers.bank && !turns.empty() ? rich(" in wavefront {}", turns) : Rich(),
                held.empty() ? Rich() : rich(": {}", listed(std::move(held))));
}

Rich sum_words(const FlowFacts& facts, const Cell& c)
{
    const recording::Recording& recording = facts.tiling->recording();
    const std::string element = element_name(recording.arrays[array_C].name, {c});
    const auto sum = facts.sum_so_far(c);
    if (!sum)
        return rich("The sum of {}.", element);
    const uint32_t end = *facts.summed_up_to();
    return rich("The sum of {}{}: **{}**.", element,
                end == recording.arrays[array_A].cols ? Rich() : rich(" before k = {}", index(end)),
                exact_value(recording, *sum));
}

} // namespace viz
