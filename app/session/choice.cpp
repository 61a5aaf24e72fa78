#include "app/session/choice.h"

#include <utility>

namespace app {

recording::Problem recorded_problem(const Sizes& sizes, kernels::Operation operation)
{
    switch (operation) {
    case kernels::Operation::vector_add: return {.N = sizes.recorded_elements};
    case kernels::Operation::thread_coords: return sizes.recorded_threads;
    case kernels::Operation::gemm:
    case kernels::Operation::gemm_columns: break;
    }
    return sizes.recorded;
}

recording::Problem timed_problem(const Sizes& sizes, kernels::Operation operation)
{
    switch (operation) {
    case kernels::Operation::vector_add: return {.N = sizes.timed_elements};
    case kernels::Operation::thread_coords: return kernels::used_part(operation, sizes.timed);
    case kernels::Operation::gemm:
    case kernels::Operation::gemm_columns: break;
    }
    recording::Problem problem = sizes.timed;
    problem.alpha = sizes.recorded.alpha;
    problem.beta = sizes.recorded.beta;
    return problem;
}

void Choice::swap()
{
    if (comparing() && !file && stages[0])
        std::swap(stages[0], stages[1]);
}

void History::change(Choice next)
{
    if (next == now_)
        return;
    before_.push_back(std::exchange(now_, std::move(next)));
    after_.clear();
    if (before_.size() > most_kept)
        before_.erase(before_.begin());
}

bool History::undo()
{
    if (before_.empty())
        return false;
    after_.push_back(std::exchange(now_, std::move(before_.back())));
    before_.pop_back();
    return true;
}

bool History::redo()
{
    if (after_.empty())
        return false;
    before_.push_back(std::exchange(now_, std::move(after_.back())));
    after_.pop_back();
    return true;
}

} // namespace app
