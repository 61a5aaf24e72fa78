#include "app/tasks/patterns.h"

#include "error.h"
#include "measure/pattern_measurement.h"

#include <fmt/format.h>

namespace app {

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

std::string MeasurePatternsTask::name() const
{
    return fmt::format("counting {} access patterns", rows.size());
}

double MeasurePatternsTask::seconds_allowed(const MachineFacts&) const
{
    return 60 + 0.1 * static_cast<double>(rows.size());
}

} // namespace app
