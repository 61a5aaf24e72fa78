#include "viz/views/30_banks/shown_access.h"

#include "viz/analysis/clock.h"
#include "viz/analysis/counted.h"
#include "viz/analysis/occupancy.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"

#include "model/recorded_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace viz {

using recording::Recording;

namespace {

Value measured_value(const Measured<double>& figure, Unit unit, Meaning meaning)
{
    if (!figure)
        return Value(in_short(figure.missing())).as(Meaning::faint);
    const bool count = unit == Unit::number && *figure == std::floor(*figure);
    return count ? Value(static_cast<int64_t>(*figure)).as(meaning) : Value(Quantity{*figure, unit}).as(meaning);
}

Message difference(const char* what, const Measured<double>& a, const Measured<double>& b, Unit unit = Unit::number)
{
    if (!a && !b && a.missing() == b.missing())
        return {"banks.unknown", {{"what", what}, {"why", Value(in_short(a.missing())).as(Meaning::faint)}}};
    Messages change;
    if (a && b && *a > 0)
        change.push_back({"banks.change", {{"change", change_of(*a, *b)}}});
    return {"banks.difference",
            {{"what", what},
             {"from", measured_value(a, unit, of_column(0))},
             {"to", measured_value(b, unit, of_column(1))},
             {"change", change}}};
}

Measured<double> figure_of(uint64_t count)
{
    return {static_cast<double>(count), {.how = How::recorded}};
}

// "8", "8-11"
std::string range(uint32_t first, uint32_t count)
{
    return count == 1 ? std::to_string(first) : fmt::format("{}-{}", first, first + count - 1);
}

// The rows and columns of C that a thread computes, where they are all of them.
Messages owned_by(const ShownAccess& shown, uint32_t thread)
{
    std::vector<Cell> own;
    for (const OwnedCell& owned : *shown.owned)
        if (owned.thread == thread)
            own.push_back(owned.cell);
    const auto box = bounds(own);
    const recording::Array& output = shown.focus.recording->arrays[2];
    if (!box || box->rows * box->cols != own.size() ||
        box->col + box->cols > output.cols) // else neighbours in no matrix
        return {};
    return {{"banks.lane_owns",
             {{"output", output.name}, {"rows", range(box->row, box->rows)}, {"cols", range(box->col, box->cols)}}}};
}

std::vector<std::size_t> pages_of(const std::vector<Phase>& phases)
{
    std::vector<std::size_t> pages;
    int last = -1;
    for (const Phase& phase : phases)
        if (phase.k_tile > last) {
            pages.push_back(phase.first);
            last = phase.k_tile;
        }
    return pages;
}

Value conflicts_value(uint64_t conflicts)
{
    return Value(conflicts).as(conflicts > 0 ? Meaning::conflict : Meaning::none);
}

Message group_legend(const Theme& theme, const ShownAccess& shown)
{
    Messages groups;
    for (std::size_t i = 0; i < shown.picture.groups.size(); ++i)
        if (const uint32_t mask = shown.picture.groups[i]; mask != 0)
            groups.push_back(
                {"banks.group", {{"colour", Swatch{theme.lane_group[i % 4]}}, {"lanes", lane_list(mask)}}});
    return {"banks.groups", {{"count", groups.size()}, {"groups", groups}}};
}

} // namespace

BankFacts bank_facts(const recording::Recording& recording, const recording::BlockTrace& block, uint32_t warp,
                     bool whole_block)
{
    BankFacts facts{.whole_block = whole_block,
                    .map = heatmap(block, whole_block ? std::nullopt : std::optional(warp)),
                    .names = {},
                    .phases = phases(recording, block.warps[warp]),
                    .pages = {}};
    facts.pages = pages_of(facts.phases);
    const Clock clock(block.warps[warp], ClockUnit::wavefronts);
    for (std::size_t step = 0; step < clock.steps(); ++step)
        facts.most_wavefronts = std::max<std::size_t>(facts.most_wavefronts, clock.cost(step));
    for (const HeatRow& row : facts.map.rows)
        facts.names.push_back(
            fmt::format("{} {}", row.line,
                        access_name(recording, {.op = row.op, .array = row.array, .width = 4, .line = row.line})));
    return facts;
}

namespace {

Messages what_is_shown(const ShownAccess& shown)
{
    const Focus& focus = shown.focus;
    const recording::Access& access = shown.access();
    const auto& arrays = focus.recording->arrays;
    Messages messages;
    if (focus.past_end)
        messages.push_back({"banks.past_end", {{"step", index(focus.step)}}});
    else if (*shown.step != focus.step)
        messages.push_back({"banks.shown_instead",
                            {{"step", index(focus.step)},
                             {"what", access_name(*focus.recording, focus.access())},
                             {"line", index(focus.access().line)},
                             {"before", *shown.step < focus.step}}});
    messages.push_back({"banks.shown",
                        {{"step", index(*shown.step)},
                         {"warp", index(focus.warp_index)},
                         {"line", index(access.line)},
                         {"lanes", std::popcount(access.mask)},
                         {"store", is_store(access.op)},
                         {"array", access.array < arrays.size() ? arrays[access.array].name : "?"},
                         {"bytes", access.width},
                         {"source", source_line(*focus.recording, access.line)}}});
    return messages;
}

Message outcome(const ShownAccess& shown)
{
    const model::SharedCost& cost = shown.picture.cost;
    return {"banks.outcome",
            {{"wavefronts", cost.wavefronts},
             {"conflicts", conflicts_value(static_cast<uint64_t>(shown.picture.bank_conflicts()))},
             {"reason", shown.picture.reason}}};
}

Messages conflict_sums(const ShownAccess& shown)
{
    const BankFacts& facts = *shown.facts;
    const Value here = conflicts_value(facts.map.totals.conflicts),
                launch = conflicts_value(shared_totals(shown.focus.recording->totals()).conflicts);
    Messages messages;
    if (facts.whole_block)
        messages.push_back({"banks.sums_of_block", {{"conflicts", here}, {"launch", launch}}});
    else
        messages.push_back(
            {"banks.sums_of_warp", {{"conflicts", here}, {"warp", index(shown.focus.warp_index)}, {"launch", launch}}});
    const recording::SharedTotals& copies = facts.map.copies;
    if (copies.instructions == 0)
        return messages;
    const Message in_launch =
        *shown.copies
            ? Message{"banks.copies_of_launch",
                      {{"wavefronts", (*shown.copies)->wavefronts}, {"conflicts", (*shown.copies)->conflicts}}}
            : Message{"banks.copies_unknown"};
    messages.push_back({"banks.sums_of_copies",
                        {{"copies", copies.instructions},
                         {"block", facts.whole_block},
                         {"wavefronts", copies.wavefronts},
                         {"conflicts", copies.conflicts},
                         {"launch", in_launch}}});
    return messages;
}

} // namespace

std::optional<double> ShownAccess::merged_loads() const
{
    return access().op == recording::Op::shared_load ? merged_share(*focus.recording, counted) : std::nullopt;
}

Message headline(const ShownAccess& shown)
{
    const model::SharedCost& cost = shown.picture.cost;
    const int conflicts = shown.picture.bank_conflicts();
    const Meaning meaning = conflicts > 0 ? Meaning::conflict : Meaning::good;
    Messages step, written;
    if (*shown.step != shown.focus.step || shown.focus.past_end)
        step.push_back({"banks.headline_step",
                        {{"step", Value(index(*shown.step)).as(Meaning::quiet)},
                         {"before", *shown.step < shown.focus.step || shown.focus.past_end}}});
    if (conflicts == 0 && shown.picture.l1_waits > 0)
        return {"banks.headline_waits",
                {{"step", step},
                 {"wavefronts", cost.wavefronts},
                 {"waits", Value(shown.picture.l1_waits).as(Meaning::conflict)}}};
    if (const auto merged = shown.merged_loads())
        written.push_back({"banks.headline_written", {{"share", share(*merged)}}});
    return {"banks.headline",
            {{"step", step},
             {"wavefronts", Value(cost.wavefronts).as(meaning)},
             {"conflicts", Value(conflicts).as(meaning)},
             {"written", written}}};
}

std::vector<Messages> in_words(const Theme& theme, const ShownAccess& shown)
{
    Messages costs{outcome(shown)};
    if (!shown.picture.groups.empty())
        costs.push_back(group_legend(theme, shown));
    std::vector<Messages> said{what_is_shown(shown), costs};
    if (shown.picture.together.merged)
        said.push_back({{"banks.merged",
                         {{"bytes", shown.access().width},
                          {"plain", shown.picture.together.lanes / 2},
                          {"lanes", shown.picture.together.lanes}}}});
    if (shown.merged_loads())
        said.push_back({{"banks.executed_otherwise",
                         {{"written", shown.focus.recording->totals().shared_load.wavefronts},
                          {"counted", static_cast<uint64_t>(*shown.counted->shared_wavefronts)},
                          {"from", how_had(shown.counted->from)}}}});
    said.push_back(conflict_sums(shown));
    return said;
}

Messages differences(const Theme& theme, const ShownAccess& a, const ShownAccess& b)
{
    const Recording &ra = *a.focus.recording, &rb = *b.focus.recording;
    const recording::SharedTotals ta = shared_totals(ra.totals()), tb = shared_totals(rb.totals());
    Messages messages{{"banks.differences", {{"first", Swatch{theme.accent()}}, {"second", Swatch{theme.accent(1)}}}},
                      difference("wavefronts", figure_of(ta.wavefronts), figure_of(tb.wavefronts)),
                      difference("conflicts", figure_of(ta.conflicts), figure_of(tb.conflicts))};
    const auto copies = [](const ShownAccess& one) {
        return *one.copies ? figure_of((*one.copies)->wavefronts) : Measured<double>();
    };
    if (a.facts->map.copies.instructions + b.facts->map.copies.instructions > 0)
        messages.push_back(difference("wavefronts of copies", copies(a), copies(b)));
    const Measured<double> regs_a = registers(ra), regs_b = registers(rb);
    if (!regs_a && !regs_b) {
        messages.push_back(difference("registers, occupancy", regs_a, regs_b));
    } else {
        messages.push_back(difference("registers", regs_a, regs_b));
        messages.push_back(difference("occupancy", occupancy(ra), occupancy(rb), Unit::share));
    }
    const auto [speed_a, speed_b] = comparable_speeds(*a.stage, *b.stage);
    messages.push_back(difference("GFLOPS", speed_a.gflops, speed_b.gflops));
    return messages;
}

Message describe_lane(const ShownAccess& shown, uint32_t lane)
{
    const recording::Access& access = shown.access();
    const auto& arrays = shown.focus.recording->arrays;
    const std::string block = block_name(*shown.focus.recording, *shown.focus.block);
    const Index warp = index(shown.focus.warp_index);
    if (!takes_part(access, lane) || access.array >= arrays.size())
        return {"banks.lane_idle",
                {{"stage", shown.stage->slug}, {"block", block}, {"warp", warp}, {"lane", index(lane)}}};
    const recording::Array& array = arrays[access.array];
    const std::vector<Cell> cells = cells_of_lane(access, (*shown.elements)[access.array], array.element_bytes, lane);
    const uint32_t word = access.offset[lane] / model::bank_bytes, words = access.width / model::bank_bytes;
    Messages shared;
    int wavefront = 0;
    for (const BankSpan& span : shown.picture.spans)
        if (span.lanes >> lane & 1u) {
            wavefront = span.wavefront + 1;
            if (std::popcount(span.lanes) > 1)
                shared.push_back({"banks.lane_shared", {{"lanes", lane_list(span.lanes)}}});
            break;
        }
    return {"banks.lane",
            {{"stage", shown.stage->slug},
             {"block", block},
             {"warp", warp},
             {"lane", index(lane)},
             {"store", is_store(access.op)},
             {"elements", element_name(array.name, cells)},
             {"one", words <= 1},
             {"words", range(word, std::max(words, 1u))},
             {"banks", words <= 1 ? std::to_string(word % model::banks)
                                  : fmt::format("{}-{}", word % model::banks, (word + words - 1) % model::banks)},
             {"wavefront", wavefront},
             {"shared", shared},
             {"owned", owned_by(shown, shown.focus.warp_index * recording::warp_size + lane)}}};
}

} // namespace viz
