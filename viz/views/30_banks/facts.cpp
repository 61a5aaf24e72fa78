#include "viz/views/30_banks/facts.h"

#include "viz/analysis/clock.h"
#include "viz/analysis/counted.h"
#include "viz/text/figures.h"
#include "viz/text/known.h"

#include "model/recorded_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace viz {

using recording::Recording;

namespace {

// Returns the last shared access at or before `step`, including writes of copies, or else the first one after it.
std::optional<std::size_t> nearest_banked(const recording::WarpTrace& warp, std::size_t step)
{
    return nearest_step(warp, step, [&](std::size_t i) {
        return is_shared(warp.accesses[i].op) || warp.accesses[i].op == recording::Op::shared_atomic ||
               model::copy_at(warp, i).has_value();
    });
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
    const recording::Access& access = shown.access();
    const auto& arrays = shown.focus.recording->arrays;
    const int lanes = std::popcount(access.mask);
    return rich("*Step {}, warp {}, line {}*: **{}**, {} bytes{}, {} `{}`.", index(*shown.step),
                index(shown.focus.warp_index), index(access.line), counted(static_cast<uint64_t>(lanes), "lane"),
                access.width, lanes == 1 ? "" : " each",
                is_atomic(access.op)  ? "updated in"
                : is_store(access.op) ? "stored to"
                                      : "loaded from",
                access.array < arrays.size() ? arrays[access.array].name : "?");
}

Rich group_legend(const Theme& theme, const ShownAccess& shown)
{
    std::vector<Rich> groups;
    for (std::size_t i = 0; i < shown.picture.groups.size(); ++i)
        if (const uint32_t mask = shown.picture.groups[i]; mask != 0)
            groups.push_back(rich("{}{}", Swatch{theme.lane_group[i % 4]}, lane_list(mask)));
    const char* const served = is_atomic(shown.access().op) ? "These lanes update it:"
                               : groups.size() == 1
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
    const recording::Totals& totals = shown.focus.recording->totals();
    if (const uint64_t unknown = totals.shared_atomic.instructions - totals.shared_atomic_cost.instructions)
        said.push_back(rich("The cost of **{}** in the launch is not known and not among them.",
                            counted(unknown, "atomic operation", "atomic operations")));
    const recording::SharedTotals& copies = facts.map.copies;
    if (copies.instructions == 0)
        return joined(std::move(said));
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
    else if (!shown.knows_cost())
        said.push_back(rich("{}", Value("cost not known").as(Meaning::quiet)));
    else
        said.push_back(rich("{}, {}", coloured(wavefronts_of(wavefronts)), coloured(conflicts_of(conflicts))));
    return joined(std::move(said));
}

std::vector<Rich> in_words(const Theme& theme, const ShownAccess& shown)
{
    std::vector<Rich> said{what_is_shown(shown), rich(shown.picture.reason)};
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
                  static_cast<uint64_t>(*shown.counted->shared_wavefronts), how_had(shown.counted->from))}));
    said.push_back(conflict_sums(shown));
    return said;
}

namespace {

// Returns "8", "8-11".
std::string range(uint32_t first, uint32_t count)
{
    return count == 1 ? std::to_string(first) : fmt::format("{}-{}", first, first + count - 1);
}

} // namespace

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
        shared = rich(", {} for {}", is_atomic(access.op) ? "counted together" : "one read", lane_list(span->lanes));
    return rich("{} {} {}: {} {}, {} {}, wavefront {}{}.", who, verb_of(access.op), element_name(array.name, cells),
                words == 1 ? "word" : "words", range(word, words), words == 1 ? "bank" : "banks",
                words == 1 ? std::to_string(word % model::banks)
                           : fmt::format("{}-{}", word % model::banks, last % model::banks),
                span == spans.end() ? std::string("not known") : std::to_string(span->wavefront + 1), shared);
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
