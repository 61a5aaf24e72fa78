// The session's searches for parameters, and the winners that it remembers.
#include "app/session/session.h"

#include <algorithm>

namespace app {

void Session::search_parameters(std::size_t stage)
{
    const Machine* opened = machine();
    if (opened == nullptr || !opened->gpu() || (search_ && search_->running))
        return;
    const kernels::Stage& own = ladder_[stage];
    tuner_.start(own, timed_problem(stage), kernels::candidate_sets(own, rungs_[stage].parameters, {}));
}

bool Session::has_shipped_search(std::size_t stage) const
{
    return shipped_searches_.find(ladder_[stage].slug) != nullptr;
}

void Session::show_shipped_search(std::size_t stage)
{
    const TriedParameters* shipped = shipped_searches_.find(ladder_[stage].slug);
    if (shipped == nullptr || (search_ && search_->running))
        return;
    search_ = {.stage = &ladder_[stage],
               .problem = shipped->problem,
               .ranked = shipped->ranked,
               .done = shipped->ranked.size(),
               .steps = shipped->ranked.size(),
               .running = false,
               .whole = shipped->whole,
               .origin = "searched on " + viz::device_and_date(shipped->from) + ", shipped with gemmscope"};
}

void Session::leave_search()
{
    if (search_ && search_->running)
        tuner_.cancel();
    else
        search_.reset();
}

bool Session::receive_search()
{
    std::optional<SearchState> found = tuner_.take();
    if (!found)
        return false;
    search_ = std::move(found);
    if (search_->whole && !search_->running && !search_->ranked.empty() &&
        search_->ranked.front().state == kernels::Candidate::State::right) {
        use_tuned();
        set_parameters(static_cast<std::size_t>(search_->stage - ladder_.data()), search_->ranked.front().parameters);
    }
    return true;
}

// Stages take what won at the timed size, or else suits it, unless a person has chosen something else.
void Session::use_tuned()
{
    const Machine* opened = machine();
    if (opened == nullptr || !opened->gpu())
        return;
    const TunedFile tuned(tuned_path_);
    if (!tuned.broken().empty())
        notice_ = tuned.broken();
    for (std::size_t i = 0; i < ladder_.size(); ++i) {
        const kernels::ParameterValues before = standard_[i];
        standard_[i] = standard_parameters(tuned, ladder_[i], opened->backend->device(), timed_problem(i));
        if (rungs_[i].parameters == before)
            set_parameters(i, standard_[i]);
    }
}

} // namespace app
