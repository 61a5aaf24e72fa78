#include "app/session/tuner.h"

#include <utility>

namespace app {

Tuner::Tuner(FutureMachine machine, std::function<void()> wake, std::filesystem::path file)
    : machine_(std::move(machine)), wake_(std::move(wake)), file_(std::move(file))
{
}

void Tuner::start(const kernels::Stage& stage, const recording::Problem& problem,
                  std::vector<kernels::ParameterValues> sets)
{
    thread_ = std::jthread([this, tuning = kernels::Tuning(stage, problem, std::move(sets))](
                               std::stop_token stop) mutable { search(tuning, stop); });
}

void Tuner::cancel()
{
    thread_.request_stop();
}

std::optional<SearchState> Tuner::take()
{
    const std::lock_guard lock(mutex_);
    return std::exchange(state_, std::nullopt);
}

void Tuner::publish(const kernels::Tuning& tuning, bool running, const std::string& error)
{
    SearchState state{.stage = &tuning.stage(),
                      .problem = tuning.problem(),
                      .ranked = {},
                      .done = tuning.steps_done(),
                      .steps = tuning.steps(),
                      .running = running,
                      .whole = tuning.finished(),
                      .error = error};
    for (const kernels::Candidate* candidate : tuning.ranking())
        state.ranked.push_back(*candidate);
    {
        const std::lock_guard lock(mutex_);
        state_ = std::move(state);
    }
    wake_();
}

void Tuner::search(kernels::Tuning& tuning, std::stop_token stop)
{
    const Machine& machine = machine_.get();
    std::string error;
    publish(tuning, true, error);
    try {
        const Gate::Claim claim(*machine.gate, Rank::search);
        for (bool more = true; more && !stop.stop_requested();) {
            machine.gate->in_turn(Rank::search, stop,
                                  [&](std::stop_token own) { more = tuning.step(*machine.backend, std::move(own)); });
            publish(tuning, true, error);
        }
        if (const kernels::Candidate* best = tuning.best(); best != nullptr && tuning.finished())
            TunedFile(file_).remember(winner_of(tuning, *best, machine.backend->device().name));
    } catch (const std::exception& failure) {
        error = failure.what();
    }
    publish(tuning, false, error);
}

} // namespace app
