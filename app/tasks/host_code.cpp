#include "app/tasks/host_code.h"

namespace app {

namespace {

// One function for each form in which a task has a text.
struct WithAnswer {
    const MayRunHostCode& may_run;

    void answer(StageJob& job) const { job.host_code = !job.text.empty() && may_run({}, job.text); }
    template <class OneTask>
    void operator()(OneTask& task) const
    {
        if constexpr (requires { answer(task.job); })
            answer(task.job);
    }
    void operator()(PrepareTask& task) const
    {
        for (StageJob& job : task.jobs)
            answer(job);
    }
    void operator()(RunFileTask& task) const
    {
        task.host_code = task.text && kernels::is_stage_file(*task.text) && may_run(task.file, *task.text);
    }
};

} // namespace

Task with_host_code(Task task, const MayRunHostCode& may_run)
{
    std::visit(WithAnswer{may_run}, task);
    return task;
}

} // namespace app
