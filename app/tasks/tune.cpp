#include "app/tasks/tune.h"

namespace app {

namespace {

std::vector<kernels::Candidate> copies(const kernels::Tuning& tuning)
{
    std::vector<kernels::Candidate> ranked;
    for (const kernels::Candidate* candidate : tuning.ranking())
        ranked.push_back(*candidate);
    return ranked;
}

} // namespace

std::vector<kernels::ParameterValues> candidates_of(const TuneTask& task, const kernels::Job& job)
{
    return kernels::candidate_sets(*job.stage, job.parameters, task.fixed);
}

TuneResult tune(const TuneTask& task, const TaskContext& context)
{
    const kernels::Job job = context.resolve(task.job);
    kernels::Backend& backend = context.backend();
    kernels::Tuning tuning(*job.stage, job.problem, candidates_of(task, job), task.options);
    TuneResult result;
    const auto tell = [&] { context.progress({tuning.steps_done(), tuning.steps(), {}, copies(tuning)}); };
    tell();
    try {
        while (!context.stop.stop_requested() && tuning.step(backend, context.stop))
            tell();
    } catch (const kernels::Cancelled&) { // what was timed stays
    } catch (const std::exception& failure) {
        result.error = failure.what();
    }
    result.ranked = copies(tuning);
    result.done = tuning.steps_done();
    result.steps = tuning.steps();
    result.whole = tuning.finished();
    return result;
}

std::optional<Winner> winner_of(const TuneTask& task, const TuneResult& result, const kernels::Stage& stage,
                                const std::string& gpu)
{
    if (!result.whole || result.ranked.empty() || result.ranked.front().state != kernels::Candidate::State::right)
        return std::nullopt;
    return winner_of(stage, task.job.problem, result.ranked.front(), gpu);
}

} // namespace app
