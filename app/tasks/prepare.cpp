#include "app/tasks/prepare.h"

#include <array>

namespace app {

PrepareResult prepare(const PrepareTask& task, const TaskContext& context)
{
    std::vector<kernels::Job> jobs;
    for (const StageJob& job : task.jobs)
        if (const auto found = find_job(context.ladder, job))
            jobs.push_back(*found);
    constexpr std::array probes = {kernels::ProbeKind::none, kernels::ProbeKind::count, kernels::ProbeKind::record};
    prepare(context.backend(), jobs, std::span(probes).first(task.recorded ? probes.size() : 1), context.stop);
    return {jobs.size()};
}

} // namespace app
