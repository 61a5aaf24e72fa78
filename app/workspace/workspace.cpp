#include "app/workspace/workspace.h"

#include "app/data/recordings.h"

#include "error.h"
#include "gemm/size.h"

#include <charconv>
#include <utility>

namespace app {

namespace {

void set_size(Sizes& sizes, const Patch& patch, const kernels::Job& job)
{
    const Sizes standard;
    sizes.recorded.reset();
    sizes.recorded_threads = standard.recorded_threads;
    sizes.recorded_elements = standard.recorded_elements;
    if (patch.size.empty())
        return;
    switch (job.stage->operation) {
    case kernels::Operation::vector_add: sizes.recorded_elements = job.problem.N; break;
    case kernels::Operation::thread_coords: sizes.recorded_threads = job.problem; break;
    case kernels::Operation::gemm:
    case kernels::Operation::gemm_columns: sizes.recorded = job.problem; break;
    }
}

void set_timed_size(Sizes& sizes, const Patch& patch, kernels::Operation operation)
{
    const recording::Problem typed = kernels::parse_size(patch.timed, operation);
    if (operation == kernels::Operation::vector_add)
        sizes.timed_elements = typed.N;
    else
        sizes.timed = {.M = typed.M, .N = typed.N, .K = typed.K};
}

// Chooses the stage of another column. If it is the first stage again, the column gets the other parameters.
void choose_beside(Choice& choice, const Patch& patch, const std::vector<kernels::Stage>& ladder, std::size_t column)
{
    const kernels::Job job = job_of(patch, ladder, column);
    const auto stage = static_cast<std::size_t>(job.stage - ladder.data());
    if (column == 1)
        choice.compare(stage);
    else if (choice.comparing())
        choice.columns[column].rung = stage;
    else
        throw kernels::Error("A third stage, " + patch.columns[column].stage +
                             ", stands beside a second one: give that with compare=.");
    if (patch.columns[column].parameters.empty())
        return;
    if (column == 1 && stage == choice.columns[0].rung)
        choice.columns[1].parameters = job.parameters;
    else
        (choice.tiny ? choice.tiny_parameters : choice.parameters)[stage] = job.parameters;
}

// Converts the typed parameters of a file's stage.
std::vector<recording::Parameter> numbers_of(const kernels::NamedTexts& typed)
{
    std::vector<recording::Parameter> numbers;
    for (const auto& [name, value] : typed) {
        int number = 0;
        const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
        if (read.ec != std::errc() || read.ptr != value.data() + value.size())
            throw kernels::Error("The parameter " + name + " needs a whole number instead of \"" + value + "\".");
        numbers.push_back({name, number});
    }
    return numbers;
}

void choose(Choice& choice, const Patch& patch, const std::vector<kernels::Stage>& ladder)
{
    const kernels::Job job = job_of(patch, ladder);
    const auto index = static_cast<std::size_t>(job.stage - ladder.data());
    choice.show(index);
    choice.compare(std::nullopt);
    choice.tiny = patch.tiny && job.stage->tiny;
    choice.tiny_parameters.clear();
    choice.sizes.tiny.reset();
    if (!choice.tiny)
        set_size(choice.sizes, patch, job);
    else if (!patch.size.empty())
        choice.sizes.tiny = job.problem;
    choice.sizes.alpha = patch.alpha;
    choice.sizes.beta = patch.beta;
    if (!patch.timed.empty())
        set_timed_size(choice.sizes, patch, job.stage->operation);
    choice.inputs = patch.inputs;
    choice.as_written = patch.as_written;
    choice.parameters.clear();
    const auto& [first, second, third] = patch.columns;
    if (!first.parameters.empty() && first.file.empty())
        (choice.tiny ? choice.tiny_parameters : choice.parameters)[index] = job.parameters;
    if (!second.stage.empty())
        choose_beside(choice, patch, ladder, 1);
    if (!second.file.empty())
        choice.compare(found_file(shipped_folder(), second.file));
    if (!third.stage.empty())
        choose_beside(choice, patch, ladder, 2);
    choice.recorded_here.clear();
    if (patch.here)
        choice.recorded_here.insert(index);
    choice.block = patch.block;
    if (!first.file.empty()) {
        choice.show(found_file(shipped_folder(), first.file));
        choice.columns[0].file_parameters = numbers_of(first.parameters);
    }
}

} // namespace

Workspace with(Workspace workspace, const Patch& patch, const std::vector<kernels::Stage>& ladder)
{
    choose(workspace.choice, patch, ladder);
    static_cast<Location&>(workspace) = patch;
    workspace.code = patch.code.value_or(workspace.code);
    workspace.clock = patch.clock ? patch.clock : workspace.clock;
    viz::Selection& selection = workspace.selection;
    selection.lane = patch.lane;
    selection.c = patch.c;
    selection.line = patch.line != 0 ? std::optional(patch.line) : std::nullopt;
    selection.other_steps = {};
    return workspace;
}

void History::change(Choice& now, const ChoiceEdit& edit)
{
    Choice before = now;
    edit(now);
    if (now == before)
        return;
    after_.clear();
    if (joins_ && !before_.empty())
        return;
    before_.push_back(std::move(before));
    if (before_.size() > most_kept)
        before_.erase(before_.begin());
}

bool History::go(Choice& now, std::vector<Choice>& from, std::vector<Choice>& to)
{
    if (from.empty())
        return false;
    to.push_back(std::exchange(now, std::move(from.back())));
    from.pop_back();
    return true;
}

void Visits::note(const Workspace& where, double seconds)
{
    if (places_.empty()) {
        places_.push_back(where);
        changed_ = seconds;
        return;
    }
    Workspace& now = places_[at_];
    const bool arrived = std::exchange(moved_, false);
    if (now.is_where(where))
        return;
    const bool same_picture = now.choice == where.choice && now.view == where.view;
    const bool soon = seconds - std::exchange(changed_, seconds) <= pause;
    if (arrived || (same_picture && soon)) {
        now = where;
        return;
    }
    places_.resize(at_ + 1);
    places_.push_back(where);
    if (places_.size() > most)
        places_.erase(places_.begin());
    at_ = places_.size() - 1;
}

std::optional<Workspace> Visits::go(std::size_t place)
{
    moved_ = true;
    at_ = place;
    return places_[at_];
}

} // namespace app
