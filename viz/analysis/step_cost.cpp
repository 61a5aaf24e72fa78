#include "viz/analysis/step_cost.h"

#include "viz/analysis/access.h"
#include "viz/analysis/sectors.h"
#include "viz/text/rich.h"

#include "model/recorded_copy.h"

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

// A change below this fraction of the difference in time explains nothing.
constexpr double worth_naming_as_cause = 0.1;

double thousands_of_multiplications(const recording::Problem& problem)
{
    return static_cast<double>(problem.M) * problem.N * problem.K / 1000;
}

std::optional<double> cycles_taken(const ComparedRung& rung, const recording::GpuProperties* gpu)
{
    if (!rung.speed.gflops || *rung.speed.gflops <= 0 || gpu == nullptr || !rung.multiplies())
        return {};
    constexpr double flops = 2 * 1000;
    return flops / *rung.speed.gflops * gpu->sm_count * gpu->clock_khz * 1e-6;
}

std::optional<double> executed(const StageWork& side, Work work)
{
    if (side.counted == nullptr)
        return {};
    const double thousands = thousands_of_multiplications(side.counted->problem);
    const HardwareFigures& counted = *side.counted;
    if (work == Work::instructions && counted.issued)
        return *counted.issued / thousands;
    if (work != Work::wavefronts || !counted.shared_wavefronts || !counted.shared_store_wavefronts)
        return {};
    // No counter has the writes of asynchronous copies. Their cost follows from their addresses.
    const auto copies = model::copy_writes(side.rung.recording);
    if (!copies || side.recorded.unseen)
        return {};
    return (*counted.shared_wavefronts + *counted.shared_store_wavefronts) / thousands +
           static_cast<double>(copies->wavefronts) / thousands_of_multiplications(side.rung.recording.problem);
}

std::optional<double> recorded(const StageWork& side, Work work)
{
    if (side.recorded.unseen || side.recorded.fragments)
        return {};
    if (work == Work::wavefronts)
        return side.rung.figures[Measure::wavefronts];
    return work == Work::lines ? side.recorded.lines : std::nullopt;
}

WorkPair pair_of(const StageWork& first, const StageWork& second, Work work)
{
    WorkPair pair{work, executed(first, work), executed(second, work), true};
    if ((!pair.first && !first.recorded.unseen) || (!pair.second && !second.recorded.unseen))
        pair = {work, recorded(first, work), recorded(second, work), false};
    return pair;
}

const WorkPair* find(const std::vector<WorkPair>& pairs, Work work)
{
    const auto found = std::ranges::find(pairs, work, &WorkPair::work);
    return found == pairs.end() ? nullptr : &*found;
}

Rich verdict_on(std::optional<double> ratio, const std::string& slug)
{
    const Value second = Value(slug).as(of_column(1));
    if (!ratio)
        return rich("beside **{}**", second);
    if (std::abs(*ratio - 1) <= same_speed)
        return rich("as fast as **{}**", second);
    const auto times = [](double factor) { return Value(with_decimals(factor, factor < 9.95 ? 2 : 1)); };
    if (*ratio > 1)
        return rich("**{} ×** as fast as **{}**", times(*ratio).as(Meaning::good), second);
    return rich("takes **{} ×** as long as **{}**", times(1 / *ratio).as(Meaning::conflict), second);
}

// `better`: the work decreased and the stage is faster.
Rich cause_words(std::string_view what, Quantity now, Quantity before, bool better)
{
    return rich("**{}** {} instead of {}", Value(now).as(better ? Meaning::good : Meaning::conflict), what, before);
}

Rich cause_words(const WorkPair& pair, bool better)
{
    const char* const what = pair.work == Work::instructions ? "instructions"
                             : pair.work == Work::wavefronts ? "shared wavefronts"
                                                             : "global lines";
    return cause_words(what, number(*pair.first), number(*pair.second), better);
}

} // namespace

double per_cycle(Work work)
{
    // One line per cycle: naive at 4096^3 touches 1,031 lines per 1,000 multiplications and takes 1,050 cycles of an SM
    // (NVIDIA H200, 2026-11-22).
    return work == Work::instructions ? 4 : 1;
}

RecordedWork recorded_work(const recording::Recording& recording, const recording::BlockTrace& block)
{
    RecordedWork work;
    std::size_t lines = 0;
    for (const recording::WarpTrace& warp : block.warps)
        for (const recording::Access& access : warp.accesses) {
            if (is_global(access.op) && recording::has_addresses(access))
                lines += lines_of(access).size();
            work.fragments |= access.op == recording::Op::tile_load;
            work.unseen |= access.op == recording::Op::bulk_load || reads_tile_itself(access);
        }
    const double thousands = multiplications(recording, block) / 1000;
    if (!useful_work(recording).mostly_edge() && thousands > 0 && !work.unseen && !work.fragments)
        work.lines = static_cast<double>(lines) / thousands;
    return work;
}

std::vector<WorkPair> work_of(const StageWork& first, const StageWork& second, const recording::GpuProperties* gpu)
{
    std::vector<WorkPair> pairs{{Work::time, cycles_taken(first.rung, gpu), cycles_taken(second.rung, gpu), true}};
    for (const Work work : {Work::instructions, Work::wavefronts, Work::lines})
        pairs.push_back(pair_of(first, second, work));
    std::erase_if(pairs, [](const WorkPair& pair) { return pair.first.value_or(0) + pair.second.value_or(0) <= 0; });
    return pairs;
}

std::optional<double> shared_intensity(const StageWork& stage)
{
    auto wavefronts = executed(stage, Work::wavefronts);
    if (!wavefronts)
        wavefronts = recorded(stage, Work::wavefronts);
    constexpr double flops = 2 * 1000, bytes = double{model::banks} * model::bank_bytes;
    return wavefronts.value_or(0) > 0 ? std::optional(flops / (*wavefronts * bytes)) : std::nullopt;
}

std::optional<Work> main_cause(const std::vector<WorkPair>& pairs)
{
    const WorkPair* time = find(pairs, Work::time);
    if (time == nullptr || !time->first || !time->second)
        return {};
    const double difference = *time->first - *time->second;
    if (std::abs(difference) <= same_speed * std::max(*time->first, *time->second))
        return {};
    std::optional<Work> cause;
    double most = worth_naming_as_cause * std::abs(difference);
    for (const WorkPair& pair : pairs) {
        if (pair.work == Work::time || !pair.first || !pair.second)
            continue;
        const double change = pair.cycles(*pair.first - *pair.second);
        if (change * difference > 0 && std::abs(change) > most) {
            most = std::abs(change);
            cause = pair.work;
        }
    }
    return cause;
}

namespace {

constexpr double explains = 0.5; // fraction of the difference in time below which a cause is not named alone

// Describes the change of local memory per thread, if it has the same direction as the difference in speed.
std::optional<Rich> local_cause(const ComparedRung& first, const ComparedRung& second, bool faster)
{
    const auto now = first.figures[Measure::local_bytes], before = second.figures[Measure::local_bytes];
    if (!now || !before || (faster ? *now >= *before : *now <= *before))
        return {};
    return cause_words("bytes per thread in local memory", with_decimals(*now, 0), with_decimals(*before, 0), faster);
}

// Describes the largest change between launches whose speeds are not known. Returns nothing if nothing changed.
std::optional<Rich> largest_change(const std::vector<WorkPair>& pairs)
{
    const WorkPair* most = nullptr;
    const auto change = [](const WorkPair& pair) { return std::abs(pair.cycles(*pair.first - *pair.second)); };
    for (const WorkPair& pair : pairs)
        if (pair.work != Work::time && pair.first && pair.second &&
            change(pair) > worth_naming_as_cause * pair.cycles(std::max(*pair.first, *pair.second)) &&
            (most == nullptr || change(pair) > change(*most)))
            most = &pair;
    if (most == nullptr)
        return {};
    return cause_words(*most, *most->first < *most->second);
}

} // namespace

Rich step_headline(const ComparedRung& first, const ComparedRung& second, const std::vector<WorkPair>& pairs)
{
    const std::optional<double> ratio = speed_ratio(first, second);
    Rich verdict = verdict_on(ratio, second.slug);
    const auto because = [&](const Rich& cause) { return rich("{}: {}", verdict, cause); };
    if (!ratio && compared_per(first.recording, second.recording) == Per::launch)
        if (const auto most = largest_change(pairs); most)
            return because(*most);
    if (!ratio)
        return verdict;
    const bool faster = *ratio > 1;
    const auto cause = main_cause(pairs);
    if (!cause && std::abs(*ratio - 1) <= same_speed)
        return verdict;
    Rich found;
    if (cause) {
        const WorkPair &pair = *find(pairs, *cause), &time = *find(pairs, Work::time);
        found = cause_words(pair, faster);
        if (pair.cycles(*pair.first - *pair.second) / (*time.first - *time.second) >= explains)
            return because(found);
    }
    if (const auto local = local_cause(first, second, faster))
        return because(*local);
    const char* const waiting = faster ? "less" : "more";
    return found.empty() ? because(rich("{} waiting, not less work", waiting))
                         : because(rich("{}, and {} waiting", found, waiting));
}

} // namespace viz
