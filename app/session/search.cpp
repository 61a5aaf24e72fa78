#include "app/session/search.h"

#include "viz/text/rich.h"

#include <utility>

namespace app {

void Search::start(const kernels::Job& job, std::string gpu)
{
    if (searching_ != 0)
        return;
    gpu_ = std::move(gpu);
    task_ = {.job = named(job), .fixed = {}, .options = {}};
    state_ = {.stage = job.stage, .problem = job.problem, .ranked = {}, .device = gpu_};
    searching_ = queue_.submit(Lane::search, task_);
}

void Search::show(const TriedParameters& shipped)
{
    if (searching_ != 0)
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
    if (searching_ != 0)
        queue_.cancel(searching_);
    else
        state_.reset();
}

bool Search::receive(const Report& report)
{
    if (report.ticket == 0 || (report.ticket != searching_ && report.ticket != saving_))
        return false;
    if (const auto* progress = report.progress()) {
        state_->done = progress->done;
        state_->steps = progress->steps;
        state_->ranked = progress->ranked;
        return true;
    }
    const bool saved = report.ticket == saving_;
    (saved ? saving_ : searching_) = 0;
    const Failure* failure = report.failure();
    if (failure != nullptr && state_ && failure->kind != Failure::Kind::cancelled)
        state_->error = failure->why;
    if (saved)
        remembered_ = true;
    else if (state_)
        state_->running = false;
    if (const TuneResult* result = report.result<TuneResult>())
        take(*result);
    return true;
}

void Search::take(TuneResult result)
{
    if (const auto winner = winner_of(task_, result, *state_->stage, gpu_)) {
        winner_ = kernels::Job{state_->stage, result.ranked.front().parameters, state_->problem};
        saving_ = queue_.submit(Lane::files, SaveTask{file_, FoundWinner{*winner}});
    }
    state_->ranked = std::move(result.ranked);
    state_->done = result.done;
    state_->steps = result.steps;
    state_->whole = result.whole;
    state_->error = std::move(result.error);
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
