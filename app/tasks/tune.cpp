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

TuneResult TuneTask::run(const TaskContext& context) const
{
    const kernels::Job resolved = context.resolve(job);
    kernels::Backend& backend = context.backend();
    kernels::Tuning tuning(*resolved.stage, resolved.problem, candidates_of(*this, resolved), options);
    TuneResult result;
    const auto tell = [&] { context.progress({tuning.steps_done(), tuning.steps(), {}, copies(tuning)}); };
    tell();
    try {
        while (!context.stop.stop_requested() && tuning.step(backend, context.stop))
            tell();
    } catch (const kernels::Cancelled&) { // keeps what was timed
    } catch (const std::exception& failure) {
        result.error = failure.what();
    }
    result.ranked = copies(tuning);
    result.done = tuning.steps_done();
    result.steps = tuning.steps();
    result.whole = tuning.finished();
    return result;
}

std::string TuneTask::name() const
{
    return at_size("searching parameters of", job);
}

double TuneTask::seconds_allowed(const MachineFacts& machine) const
{
    // Each candidate counts as a sign of life.
    return 20 + 4 * options.final_seconds + seconds_of(job.problem, machine) + 2;
}

std::optional<Winner> winner_of(const TuneTask& task, const TuneResult& result, const kernels::Stage& stage,
                                const std::string& gpu)
{
    if (!result.whole || result.ranked.empty() || result.ranked.front().state != kernels::Candidate::State::right)
        return std::nullopt;
    return winner_of(stage, task.job.problem, result.ranked.front(), gpu);
}

} // namespace app
