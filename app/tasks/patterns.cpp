#include "app/tasks/patterns.h"

#include "measure/pattern_measurement.h"

namespace app {

MeasurePatternsResult measure_patterns(const MeasurePatternsTask& task, const TaskContext& context)
{
    MeasurePatternsResult result{task.rows};
    std::size_t done = 0;
    const auto tell = [&](std::span<const model::PatternRow> some) {
        done += some.size();
        context.progress({done, task.rows.size(), {}, {}});
    };
    kernels::measure_patterns(result.rows, tell, context.stop, context.machine.used_gpu.number);
    return result;
}

} // namespace app
