#include "app/tasks/baseline.h"

#include <fmt/format.h>

namespace app {

BaselineResult BaselineTask::run(const TaskContext& context) const
{
    const kernels::Baseline* const known = kernels::find_baseline(baseline);
    if (known == nullptr)
        throw kernels::Error(fmt::format("This gemmscope has no baseline {}.", baseline));
    kernels::Backend& backend = context.backend();
    BaselineResult result;
    try {
        if (seconds > 0)
            result.timed = kernels::bench_baseline(
                backend, *known, problem, {.seconds = seconds, .energy_seconds = energy_seconds}, context.stop);
    } catch (const kernels::Unavailable& error) { // any other error makes the task fail
        result.missing = error.what();
    }
    if (!result.missing.empty())
        return result;
    const bool shown = !known->precision.fp64 || counted; // the window does not show the kernels of DGEMM
    if (traced && known->needs_gpu() && shown)
        result.kernels_missing =
            why_it_failed([&] { result.kernels = backend.cublas_kernels(known->precision, problem, context.stop); });
    if (counted && !known->needs_gpu())
        result.counters_missing = fmt::format("{} runs on a CPU, and counters are read of a GPU only.", known->title);
    else if (counted)
        result.counters_missing =
            why_it_failed([&] { result.counters = backend.cublas_counters(known->precision, problem, context.stop); });
    return result;
}

std::string BaselineTask::name() const
{
    return fmt::format("timing {} at {}", baseline, size_of(problem));
}

double BaselineTask::seconds_allowed(const MachineFacts& machine) const
{
    return 60 + 4 * (seconds + energy_seconds) + seconds_of(problem, machine);
}

} // namespace app
