#include "viz/views/30_banks/bank_column.h"

#include "viz/text/figures.h"

#include "model/recorded_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace viz {

using recording::Recording;

namespace {

std::string sharing_words(const recording::Access& access)
{
    const int lanes = std::popcount(access.mask);
    return fmt::format("{} {} {} bytes{}", counted(static_cast<uint64_t>(lanes), "lane"),
                       is_store(access.op) ? (lanes == 1 ? "writes" : "write") : (lanes == 1 ? "reads" : "read"),
                       access.width, lanes == 1 ? "" : " each");
}

// "wavefronts 22,016 > 13,312 (-40%)"
void add_difference(Prose& prose, const Theme& theme, const std::string& name, const Figure& a, const Figure& b,
                    std::string (*text)(double))
{
    prose.gap().say(name + " ");
    if (!a.value && !b.value) {
        prose.faint(a.why_missing);
        if (b.why_missing != a.why_missing)
            prose.say(" to ").faint(b.why_missing);
        return;
    }
    const auto shown = [&](const Figure& figure, Colour colour) {
        figure.value ? prose.figure(text(*figure.value), colour) : prose.faint(figure.why_missing);
    };
    shown(a, theme.first);
    prose.say(" to ");
    shown(b, theme.second);
    if (a.value && b.value && *a.value > 0)
        prose.say(fmt::format(" ({})", change(*a.value, *b.value)));
}

Figure speed(const Subject& subject)
{
    return {subject.speed.gflops, subject.speed.why_missing.empty() ? "not measured yet" : subject.speed.why_missing};
}

} // namespace

void BankFacts::update(const Subject& subject, const Focus& focus, bool all_warps)
{
    if (recording != subject.recording)
        copies = model::copy_writes(*subject.recording);
    const bool same_block = recording == subject.recording && block == focus.block;
    if (same_block && warp == focus.warp && whole_block == all_warps)
        return;
    recording = subject.recording;
    block = focus.block;
    warp = focus.warp;
    whole_block = all_warps;
    map = heatmap(*block, all_warps ? std::nullopt : std::optional(focus.warp_index));
    phases = viz::phases(*recording, *warp);
    names.clear();
    for (const HeatRow& row : map.rows)
        names.push_back(
            fmt::format("{} {}", row.line,
                        access_name(*recording, {.op = row.op, .array = row.array, .width = 4, .line = row.line})));
    if (!same_block) {
        elements = elements_of(*recording);
        owned = cells_of_block(*recording, linear_of(block->block, recording->launch.grid));
    }
}

Prose what_is_shown(const Theme& theme, const BankColumn& column)
{
    Prose prose(theme);
    const Focus& focus = column.focus;
    if (*column.step != focus.step || focus.past_end) {
        const recording::Access& current = focus.access();
        if (focus.past_end)
            prose.say(fmt::format("The selected step lies after this warp's last one, {}. ", focus.step));
        else if (current.op == recording::Op::barrier)
            prose.say(fmt::format("Step {} is a barrier (line {}): the warp waits for the others. ", focus.step,
                                  current.line));
        else if (!recording::has_addresses(current))
            prose.say(fmt::format("Step {} (line {}) is no access to memory: {}. ", focus.step, current.line,
                                  recording::name(current.op)));
        else if (!is_global(current.op))
            prose.say(fmt::format("What step {} costs does not follow from its addresses ({}, line {}). ", focus.step,
                                  recording::name(current.op), current.line));
        else
            prose.say(fmt::format("Step {} goes to global memory ({}, line {}). ", focus.step,
                                  access_name(*focus.recording, current), current.line));
        prose.say(*column.step < focus.step ? "Shown: the last shared access before it."
                                            : "Shown: the first shared access after it.");
        prose.break_line();
    }
    const recording::Access& access = column.shown();
    const std::string name =
        access.array < focus.recording->arrays.size() ? focus.recording->arrays[access.array].name : "?";
    prose.strong(fmt::format("Step {}, warp {}, line {}", *column.step, focus.warp_index, access.line)).say(": ");
    prose.say(fmt::format("{} {} ", sharing_words(access), is_store(access.op) ? "to" : "of")).code(name).say(".");
    if (const std::string source = source_line(*focus.recording, access.line); !source.empty())
        prose.break_line().code(source);
    return prose;
}

bool same_groups(const std::vector<BankColumn>& columns)
{
    const BankColumn* first = nullptr;
    for (const BankColumn& column : columns) {
        if (!column.ready())
            continue;
        if (first && column.picture.groups != first->picture.groups)
            return false;
        first = first ? first : &column;
    }
    return true;
}

Prose how_to_read(const Theme& theme)
{
    Prose prose(theme);
    prose.say("A row is one wavefront, one 4-byte word of each bank. The number is the lane.");
    return prose;
}

Prose& add_group_legend(Prose& prose, const Theme& theme, const BankColumn& column)
{
    const std::vector<uint32_t>& groups = column.picture.groups;
    const auto with_lanes = std::count_if(groups.begin(), groups.end(), [](uint32_t mask) { return mask != 0; });
    prose.say(with_lanes == 1 ? " Served together:" : " Served in turn:");
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (groups[i] != 0)
            prose.gap().swatch(theme.lane_group[i % 4]).say(lane_list(groups[i]));
    return prose;
}

Prose outcome(const Theme& theme, const BankColumn& column)
{
    const model::SharedCost& cost = column.picture.cost;
    Prose prose(theme);
    prose.figure(counted(static_cast<uint64_t>(cost.wavefronts), "wavefront") + ",");
    prose.say(" ").figure(cost.conflicts == 0 ? "no conflict"
                                              : counted(static_cast<uint64_t>(cost.conflicts), "conflict"),
                          cost.conflicts == 0 ? theme.ink : theme.warning);
    prose.say(": " + column.picture.reason + ".");
    return prose;
}

Prose conflict_sums(const Theme& theme, const BankColumn& column)
{
    const BankFacts& facts = *column.facts;
    Prose prose(theme);
    const uint64_t launch = shared_totals(column.focus.recording->totals()).conflicts;
    const uint64_t here = facts.map.totals.conflicts;
    prose.say("Bank conflicts: ").figure(thousands(here), here ? theme.warning : theme.ink);
    prose.say(facts.whole_block ? " in this block, " : fmt::format(" in warp {}, ", column.focus.warp_index));
    prose.figure(thousands(launch), launch ? theme.warning : theme.ink).say(" in the whole launch.");
    if (facts.map.copies.instructions == 0)
        return prose;
    const recording::SharedTotals& copies = facts.map.copies;
    prose.say(" Without the writes of ")
        .figure(counted(copies.instructions, "asynchronous copy", "asynchronous copies"));
    prose.say(
        fmt::format(" {}, which the hardware counts apart: ", facts.whole_block ? "of this block" : "of this warp"));
    prose.figure(counted(copies.wavefronts, "wavefront")).say(", ").figure(counted(copies.conflicts, "conflict"));
    if (!facts.copies)
        return prose.say("; of the launch they are not known, as not all of its blocks are recorded in full.");
    prose.say("; in the whole launch ").figure(counted(facts.copies->wavefronts, "wavefront")).say(", ");
    return prose.figure(counted(facts.copies->conflicts, "conflict")).say(".");
}

Prose differences(const Theme& theme, const BankColumn& a, const BankColumn& b)
{
    const auto whole = [](double value) { return thousands(static_cast<uint64_t>(value)); };
    const auto share = [](double value) { return fmt::format("{:.0f}%", value * 100); };
    const auto flops = [](double value) { return thousands(value); };
    const Recording &ra = *a.focus.recording, &rb = *b.focus.recording;
    const recording::SharedTotals ta = shared_totals(ra.totals()), tb = shared_totals(rb.totals());
    const auto count = [](uint64_t value) { return Figure{static_cast<double>(value), {}}; };
    Prose prose(theme);
    prose.strong("Whole launch").say(", ").swatch(theme.first).say("to ").swatch(theme.second);
    add_difference(prose, theme, "wavefronts", count(ta.wavefronts), count(tb.wavefronts), whole);
    add_difference(prose, theme, "conflicts", count(ta.conflicts), count(tb.conflicts), whole);
    const auto copies = [](const BankColumn& column) {
        const auto& known = column.facts->copies;
        return known ? Figure{static_cast<double>(known->wavefronts), {}} : Figure{{}, "not known"};
    };
    if (a.facts->map.copies.instructions + b.facts->map.copies.instructions > 0)
        add_difference(prose, theme, "wavefronts of copies", copies(a), copies(b), whole);
    const Figure regs_a = registers(ra), regs_b = registers(rb);
    if (!regs_a.value && !regs_b.value) {
        prose.gap().say("registers, occupancy ").faint(regs_a.why_missing);
    } else {
        add_difference(prose, theme, "registers", regs_a, regs_b, whole);
        add_difference(prose, theme, "occupancy", occupancy(ra), occupancy(rb), share);
    }
    add_difference(prose, theme, "GFLOPS", speed(*a.subject), speed(*b.subject), flops);
    return prose;
}

std::string describe_lane(const BankColumn& column, uint32_t lane)
{
    const recording::Access& access = column.shown();
    const BankFacts& kept = *column.facts;
    std::string text = fmt::format("{}: block {}, warp {}, lane {} ", column.subject->slug,
                                   block_name(*kept.recording, *kept.block), column.focus.warp_index, lane);
    if (!takes_part(access, lane) || access.array >= kept.recording->arrays.size())
        return text + "takes no part in this access.";
    const recording::Array& array = kept.recording->arrays[access.array];
    const std::vector<Cell> cells = cells_of_lane(access, kept.elements[access.array], array.element_bytes, lane);
    const uint32_t word = access.offset[lane] / model::bank_bytes, words = access.width / model::bank_bytes;
    text += fmt::format("{} {}: ", is_store(access.op) ? "writes" : "reads", element_name(array.name, cells));
    text += words == 1 ? fmt::format("word {}, bank {}", word, word % model::banks)
                       : fmt::format("words {}-{}, banks {}-{}", word, word + words - 1, word % model::banks,
                                     (word + words - 1) % model::banks);
    for (const BankSpan& span : column.picture.spans)
        if (span.lanes >> lane & 1u) {
            text += fmt::format(", wavefront {}", span.wavefront + 1);
            if (std::popcount(span.lanes) > 1)
                text += fmt::format(", one read for {}", lane_list(span.lanes));
            break;
        }
    std::vector<Cell> own;
    for (const OwnedCell& owned : kept.owned)
        if (owned.thread == column.focus.warp_index * recording::warp_size + lane)
            own.push_back(owned.cell);
    if (const auto box = bounds(own))
        text += fmt::format("; computes C rows {}-{}, columns {}-{}", box->row, box->row + box->rows - 1, box->col,
                            box->col + box->cols - 1);
    return text + ".";
}

} // namespace viz
