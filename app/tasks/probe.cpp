#include "app/tasks/probe.h"

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

std::string ProbeTask::name() const
{
    return "measuring the GPU";
}

double ProbeTask::seconds_allowed(const MachineFacts&) const
{
    return 20;
}

} // namespace app
