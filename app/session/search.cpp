#include "app/session/search.h"

#include "viz/text/rich.h"

namespace app {

void Search::start(const kernels::Job& job, std::string gpu)
{
    if (searching_)
        return;
    gpu_ = std::move(gpu);
    searching_ = {.job = named(job), .fixed = {}, .options = {}};
    state_ = {.stage = job.stage, .problem = job.problem, .ranked = {}, .device = gpu_};
    engine_.renew(*searching_, Lane::search);
}

void Search::show(const TriedParameters& shipped)
{
    if (searching_)
        return;
    state_ = {.stage = &kernels::find_stage(ladder_, shipped.stage),
              .problem = shipped.problem,
              .ranked = shipped.ranked,
              .done = shipped.ranked.size(),
              .steps = shipped.ranked.size(),
              .running = false,
              .whole = shipped.whole,
              .shipped = shipped.from};
}

void Search::leave()
{
    if (searching_)
        engine_.cancel(*searching_);
    else
        state_.reset();
}

void Search::turn()
{
    if (searching_) {
        const Loadable<TuneTask>* known = engine_.follow(*searching_);
        if (known != nullptr && known->busy) {
            state_->done = known->progress.done;
            state_->steps = known->progress.steps;
            state_->ranked = known->progress.ranked;
        } else {
            state_->running = false;
            if (known != nullptr && known->failed())
                state_->error = known->failure->why;
            if (known != nullptr && known->value != nullptr)
                take(*known->value);
            searching_.reset();
        }
    }
    const Loadable<SaveTask>* saved = saving_ ? engine_.follow(*saving_) : nullptr;
    if (saved != nullptr && !saved->busy) {
        if (saved->failed() && state_)
            state_->error = saved->failure->why;
        saving_.reset();
        remembered_ = true;
    }
}

void Search::take(const TuneResult& result)
{
    if (const auto winner = winner_of(*searching_, result, *state_->stage, gpu_)) {
        winner_ = kernels::Job{state_->stage, result.ranked.front().parameters, state_->problem};
        saving_ = {file_, FoundWinner{*winner}};
        engine_.renew(*saving_, Lane::files);
    }
    state_->ranked = result.ranked;
    state_->done = result.done;
    state_->steps = result.steps;
    state_->whole = result.whole;
    state_->error = result.error;
}

std::string no_search_of(const std::string& stage, const ShippedSearches& shipped)
{
    viz::Value::List others;
    for (const TriedParameters& search : shipped.searches)
        others.emplace_back(search.stage);
    const viz::Rich but = others.empty() ? viz::Rich() : viz::rich(", only for {}", std::move(others));
    return viz::plain(
        viz::rich("No search for parameters of {} is shipped{}; gemmscope searches where there is a GPU.", stage, but));
}

} // namespace app
