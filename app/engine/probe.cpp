#include "app/engine/probe.h"

#include "error.h"
#include "measure/pattern_measurement.h"

#include <fmt/format.h>

#include <utility>

namespace app {

ProbeResult ProbeTask::run(const TaskContext& context) const
{
    kernels::Backend& backend = context.backend();
    const std::vector<std::string> steps = backend.gpu_steps();
    ProbeResult result;
    std::size_t done = 0;
    for (; done < steps.size(); ++done) {
        context.progress({done, steps.size(), steps[done], {}});
        recording::GpuMeasurement next = result.measured; // copy, so that the changes of a failed step are discarded
        try {
            backend.measure_gpu(done, next, context.stop);
            result.measured = std::move(next);
        } catch (const kernels::Cancelled&) {
            break;
        } catch (const std::exception& error) {
            result.failed.push_back({steps[done], error.what()});
        }
    }
    result.whole = done == steps.size() && result.failed.empty();
    return result;
}

MeasurePatternsResult MeasurePatternsTask::run(const TaskContext& context) const
{
    MeasurePatternsResult result{rows};
    std::size_t done = 0;
    const auto tell = [&](std::span<const model::PatternRow> some) {
        done += some.size();
        context.progress({done, rows.size(), {}, {}});
    };
    const int gpu = context.machine.used_gpu.number;
    if (times)
        kernels::time_patterns(result.rows, context.stop, gpu);
    try {
        kernels::measure_patterns(result.rows, tell, context.stop, gpu);
    } catch (const kernels::Unavailable& why) {
        if (!times)
            throw;
        result.not_counted = why.what();
    }
    return result;
}

WarpsResult WarpsTask::run(const TaskContext& context) const
{
    const kernels::Job resolved = context.resolve(job);
    return {context.backend().warp_times(resolved, watched, context.stop)};
}

} // namespace app
