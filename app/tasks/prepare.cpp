#include "app/tasks/prepare.h"

#include <fmt/format.h>

namespace app {

PrepareResult PrepareTask::run(const TaskContext& context) const
{
    std::vector<kernels::Job> known;
    for (const StageJob& job : jobs)
        if (const auto found = find_job(context.ladder, job))
            known.push_back(*found);
    app::prepare(context.backend(), known, std::span(recorded_forms).first(recorded ? recorded_forms.size() : 1),
                 context.stop);
    return {known.size()};
}

std::string PrepareTask::name() const
{
    return fmt::format("compiling {} stages", jobs.size());
}

double PrepareTask::seconds_allowed(const MachineFacts&) const
{
    return 10 + 10 * static_cast<double>(jobs.size());
}

} // namespace app
