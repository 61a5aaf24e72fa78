#include "viz/views/30_banks/facts.h"

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
#include <utility>

namespace viz {

using recording::Recording;

namespace {

// Returns the last shared access at or before `step`, including writes of copies, otherwise the first one after it.
std::optional<std::size_t> nearest_banked(const recording::WarpTrace& warp, std::size_t step)
{
    return nearest_step(warp, step, [&](std::size_t i) {
        return is_shared(warp.accesses[i].op) || model::copy_at(warp, i).has_value();
    });
}

std::vector<OwnedCell> cells_owned_by(const Recording& recording, const recording::BlockTrace& block)
{
    return cells_of_block(recording, linear_of(block.block, recording.launch.grid));
}

std::optional<recording::SharedTotals> copies_of_launch(const Recording& recording)
{
    return model::copy_writes(recording);
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

} // namespace

BankFacts bank_facts(const Recording& recording, const recording::BlockTrace& block, uint32_t warp, bool whole_block)
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

std::size_t BankFacts::longest_page() const
{
    std::size_t longest = 1;
    for (std::size_t i = 0; i < pages.size(); ++i)
        longest = std::max(longest, (i + 1 < pages.size() ? pages[i + 1] : map.steps) - pages[i]);
    return longest;
}

ShownAccess ShownAccess::of(const ViewScene& scene, const StageColumn& stage, bool whole_block)
{
    ShownAccess shown{.stage = &stage, .focus = focus_on(scene, stage)};
    if (!shown.focus.warp)
        return shown;
    shown.facts = &stage.memo<bank_facts>(*shown.focus.block, shown.focus.warp_index, whole_block);
    shown.elements = &stage.memo<elements_of>();
    shown.owned = &stage.memo<cells_owned_by>(*shown.focus.block);
    shown.copies = &stage.memo<copies_of_launch>();
    shown.step = step_shown(scene, stage, shown.focus, nearest_banked);
    const StageFacts* rung = scene.ladder_facts.find(stage.slug);
    if (rung != nullptr && rung->parameters == stage.recording->parameters)
        shown.counted = counted_at(rung, stage.recording->problem);
    if (const auto copy = shown.step ? model::copy_at(*shown.focus.warp, *shown.step) : std::nullopt)
        shown.picture = bank_picture(*copy);
    else if (shown.step)
        shown.picture = bank_picture(shown.access().op, pattern_of(shown.access()));
    return shown;
}

std::optional<double> ShownAccess::merged_loads() const
{
    return access().op == recording::Op::shared_load ? merged_share(*focus.recording, counted) : std::nullopt;
}

namespace {

Value conflicts_value(uint64_t conflicts)
{
    return Value(conflicts).as(conflicts > 0 ? Meaning::conflict : Meaning::none);
}

std::string wavefronts_of(uint64_t count)
{
    return counted(count, "wavefront");
}

std::string conflicts_of(int count)
{
    return count == 0 ? "no conflict" : counted(static_cast<uint64_t>(count), "conflict");
}

Rich what_is_shown(const ShownAccess& shown)
{
    const Focus& focus = shown.focus;
    const recording::Access& access = shown.access();
    const auto& arrays = focus.recording->arrays;
    std::vector<Rich> said;
    if (focus.past_end)
        said.push_back(
            rich("The selected step lies after this warp's last one, {}. Shown: the last shared access before it.",
                 index(focus.step)));
    else if (*shown.step != focus.step)
        said.push_back(rich("Step {} ({}, line {}) is no access to shared memory. Shown: the {} it.", index(focus.step),
                            access_name(*focus.recording, focus.access()), index(focus.access().line),
                            *shown.step < focus.step ? "last one before" : "first one after"));
    const int lanes = std::popcount(access.mask);
    said.push_back(rich("*Step {}, warp {}, line {}*: **{}**, {} bytes{}, {} `{}`.", index(*shown.step),
                        index(focus.warp_index), index(access.line), counted(static_cast<uint64_t>(lanes), "lane"),
                        access.width, lanes == 1 ? "" : " each", is_store(access.op) ? "stored to" : "loaded from",
                        access.array < arrays.size() ? arrays[access.array].name : "?"));
    return in_lines({joined(std::move(said)), rich("`{}`", source_line(*focus.recording, access.line))});
}

Rich outcome(const ShownAccess& shown)
{
    const int conflicts = shown.picture.bank_conflicts();
    return rich("**{},** **{}**: {}", wavefronts_of(static_cast<uint64_t>(shown.picture.cost.wavefronts)),
                Value(conflicts_of(conflicts)).as(conflicts > 0 ? Meaning::conflict : Meaning::none),
                rich(shown.picture.reason));
}

Rich group_legend(const Theme& theme, const ShownAccess& shown)
{
    std::vector<Rich> groups;
    for (std::size_t i = 0; i < shown.picture.groups.size(); ++i)
        if (const uint32_t mask = shown.picture.groups[i]; mask != 0)
            groups.push_back(rich("{}{}", Swatch{theme.lane_group[i % 4]}, lane_list(mask)));
    const char* const served = groups.size() == 1
                                   ? "One wavefront serves these lanes, unless two of them conflict:"
                                   : "One group of lanes after the other; only lanes of one group can conflict:";
    return joined({rich("{}", served), joined(std::move(groups))});
}

Rich conflict_sums(const ShownAccess& shown)
{
    const BankFacts& facts = *shown.facts;
    const Value here = conflicts_value(facts.map.totals.conflicts),
                launch = conflicts_value(shared_totals(shown.focus.recording->totals()).conflicts);
    const std::string where =
        facts.whole_block ? std::string("this block") : fmt::format("warp {}", shown.focus.warp_index);
    std::vector<Rich> said{rich("Bank conflicts: **{}** in {}, **{}** in the whole launch.", here, where, launch)};
    const recording::SharedTotals& copies = facts.map.copies;
    if (copies.instructions == 0)
        return said.front();
    said.push_back(rich("The writes of **{}** of {} are not among them: the hardware counts those apart.",
                        counted(copies.instructions, "asynchronous copy", "asynchronous copies"), where));
    said.push_back(rich("They take **{}**, **{}** of them beyond one for each group, for a bank or for reads in L1.",
                        wavefronts_of(copies.wavefronts), copies.conflicts));
    if (const auto& all = *shown.copies)
        said.push_back(
            rich("In the whole launch **{}**, **{}** of them so.", wavefronts_of(all->wavefronts), all->conflicts));
    else
        said.push_back(rich("In the whole launch that is not known, as not all of its blocks are recorded in full."));
    return joined(std::move(said));
}

} // namespace

Rich headline(const ShownAccess& shown)
{
    const auto wavefronts = static_cast<uint64_t>(shown.picture.cost.wavefronts);
    const int conflicts = shown.picture.bank_conflicts(), waits = shown.picture.l1_waits;
    const Meaning meaning = conflicts > 0 ? Meaning::conflict : Meaning::good;
    const auto coloured = [&](std::string words) { return Value(std::move(words)).as(meaning); };
    std::vector<Rich> said;
    const bool before = *shown.step < shown.focus.step || shown.focus.past_end;
    if (*shown.step != shown.focus.step || shown.focus.past_end)
        said.push_back(
            rich("{} access, step {}:", before ? "last" : "next", Value(index(*shown.step)).as(Meaning::quiet)));
    if (conflicts == 0 && waits > 0)
        said.push_back(rich("{}: {} {} for L1, no bank conflict", wavefronts_of(wavefronts),
                            Value(waits).as(Meaning::conflict), waits == 1 ? "waits" : "wait"));
    else if (const auto merged = shown.merged_loads())
        said.push_back(rich("{}, {}, as written; merged by the compiler, all loads take {} of that",
                            coloured(wavefronts_of(wavefronts)), coloured(conflicts_of(conflicts)), share(*merged)));
    else
        said.push_back(rich("{}, {}", coloured(wavefronts_of(wavefronts)), coloured(conflicts_of(conflicts))));
    return joined(std::move(said));
}

std::vector<Rich> in_words(const Theme& theme, const ShownAccess& shown)
{
    std::vector<Rich> said{what_is_shown(shown), outcome(shown)};
    if (!shown.picture.groups.empty())
        said.back() = joined({said.back(), group_legend(theme, shown)});
    const int lanes = shown.picture.together.lanes;
    if (shown.picture.together.merged)
        said.push_back(joined({rich("Lanes of {} bytes are served {} at a time.", shown.access().width, lanes / 2),
                               rich("Here each lane reads the same bytes as its neighbour, or as the lane after that."),
                               rich("So two such groups become one of **{}**, and no more than two.", lanes)}));
    if (shown.merged_loads())
        said.push_back(joined(
            {rich("*As written, not as executed*: the source's loads of shared memory take **{}** in the launch.",
                  wavefronts_of(shown.focus.recording->totals().shared_load.wavefronts)),
             rich("The GPU counted **{}**: the compiler made fewer and wider loads of some ({}).",
                  static_cast<uint64_t>(*shown.counted->shared_wavefronts), how_had(shown.counted->from)),
             rich("What is shown is one access as the source writes it.")}));
    said.push_back(conflict_sums(shown));
    return said;
}

namespace {

Value measured_value(const Measured<double>& figure, Unit unit, Meaning meaning)
{
    if (!figure)
        return Value(in_short(figure.missing())).as(Meaning::faint);
    const bool count = unit == Unit::number && *figure == std::floor(*figure);
    return count ? Value(static_cast<int64_t>(*figure)).as(meaning) : Value(Quantity{*figure, unit}).as(meaning);
}

Rich difference(const char* what, const Measured<double>& a, const Measured<double>& b, Unit unit = Unit::number)
{
    if (!a && !b && a.missing() == b.missing())
        return rich("{} {}", what, Value(in_short(a.missing())).as(Meaning::faint));
    const Rich change = a && b && *a > 0 ? rich("({})", change_of(*a, *b)) : Rich();
    return rich("{} **{}** to **{}** {}", what, measured_value(a, unit, of_column(0)),
                measured_value(b, unit, of_column(1)), change);
}

Measured<double> figure_of(uint64_t count)
{
    return {static_cast<double>(count), {.how = How::recorded}};
}

// Returns "8", "8-11".
std::string range(uint32_t first, uint32_t count)
{
    return count == 1 ? std::to_string(first) : fmt::format("{}-{}", first, first + count - 1);
}

// Describes the rows and columns of C that a thread computes, if its elements fill them.
Rich owned_by(const ShownAccess& shown, uint32_t thread)
{
    std::vector<Cell> own;
    for (const OwnedCell& owned : *shown.owned)
        if (owned.thread == thread)
            own.push_back(owned.cell);
    const auto box = bounds(own);
    const recording::Array& output = shown.focus.recording->arrays[2];
    if (!box || box->rows * box->cols != own.size() ||
        box->col + box->cols > output.cols) // otherwise they are not adjacent in any matrix
        return {};
    return rich("; computes {} rows {}, columns {}", output.name, range(box->row, box->rows),
                range(box->col, box->cols));
}

} // namespace

Rich differences(const Theme& theme, const ShownAccess& a, const ShownAccess& b)
{
    const Recording &ra = *a.focus.recording, &rb = *b.focus.recording;
    const recording::SharedTotals ta = shared_totals(ra.totals()), tb = shared_totals(rb.totals());
    std::vector<Rich> said{rich("*Whole launch*, {}to {}", Swatch{theme.accent()}, Swatch{theme.accent(1)}),
                           difference("wavefronts", figure_of(ta.wavefronts), figure_of(tb.wavefronts)),
                           difference("conflicts", figure_of(ta.conflicts), figure_of(tb.conflicts))};
    const auto copies = [](const ShownAccess& one) {
        return *one.copies ? figure_of((*one.copies)->wavefronts) : Measured<double>();
    };
    if (a.facts->map.copies.instructions + b.facts->map.copies.instructions > 0)
        said.push_back(difference("wavefronts of copies", copies(a), copies(b)));
    const Measured<double> regs_a = registers(ra), regs_b = registers(rb);
    if (!regs_a && !regs_b) {
        said.push_back(difference("registers, occupancy", regs_a, regs_b));
    } else {
        said.push_back(difference("registers", regs_a, regs_b));
        said.push_back(difference("occupancy", occupancy(ra), occupancy(rb), Unit::share));
    }
    const auto [speed_a, speed_b] = comparable_speeds(*a.stage, *b.stage);
    said.push_back(difference("GFLOPS", speed_a.gflops, speed_b.gflops));
    return joined(std::move(said));
}

Rich lane_words(const ShownAccess& shown, uint32_t lane)
{
    const recording::Access& access = shown.access();
    const auto& arrays = shown.focus.recording->arrays;
    const Rich who =
        rich("{}: block {}, warp {}, lane {}", shown.stage->slug,
             block_name(*shown.focus.recording, *shown.focus.block), index(shown.focus.warp_index), index(lane));
    if (!takes_part(access, lane) || access.array >= arrays.size())
        return rich("{} takes no part in this access.", who);
    const recording::Array& array = arrays[access.array];
    const std::vector<Cell> cells = cells_of_lane(access, (*shown.elements)[access.array], array.element_bytes, lane);
    const uint32_t word = access.offset[lane] / model::bank_bytes,
                   words = std::max(access.width / model::bank_bytes, 1), last = word + words - 1;
    const auto& spans = shown.picture.spans;
    const auto span = std::ranges::find_if(spans, [&](const BankSpan& one) { return one.lanes >> lane & 1u; });
    Rich shared;
    if (span != spans.end() && std::popcount(span->lanes) > 1)
        shared = rich(", one read for {}", lane_list(span->lanes));
    return rich("{} {} {}: {} {}, {} {}, wavefront {}{}{}.", who, is_store(access.op) ? "writes" : "reads",
                element_name(array.name, cells), words == 1 ? "word" : "words", range(word, words),
                words == 1 ? "bank" : "banks",
                words == 1 ? std::to_string(word % model::banks)
                           : fmt::format("{}-{}", word % model::banks, last % model::banks),
                span == spans.end() ? 0 : span->wavefront + 1, shared,
                owned_by(shown, shown.focus.warp_index * recording::warp_size + lane));
}

Rich heat_words(const ShownAccess& shown, const HeatRow& row, std::size_t step, const HeatCell* cell)
{
    const Rich place = rich("{}: step {}, line {}:", shown.stage->slug, index(step), index(row.line));
    if (cell == nullptr)
        return rich("{} no shared access of this line at this step.", place);
    return rich("{} {}, {}, {}. Click to go there.", place,
                counted(cell->totals.instructions, "warp access", "warp accesses"),
                wavefronts_of(cell->totals.wavefronts), counted(cell->totals.conflicts, "conflict"));
}

} // namespace viz
