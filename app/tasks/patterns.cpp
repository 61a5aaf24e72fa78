#include "app/tasks/patterns.h"

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
    kernels::measure_patterns(result.rows, tell, context.stop, context.machine.used_gpu.number);
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
