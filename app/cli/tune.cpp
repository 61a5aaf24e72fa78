#include "app/tasks/tune.h"
#include "app/catalogue/searches.h"
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/own_stages.h"
#include "app/tasks/save.h"
#include "app/text/format.h"
#include "app/text/tell.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

namespace app {

namespace {

using kernels::Candidate;

void print(const kernels::Stage& stage, const Candidate& candidate)
{
    const std::string text = parameters_text(stage, candidate.parameters);
    if (candidate.state == Candidate::State::right)
        write_out("{:>10.0f}{:>11}{:>10.1e}  {}\n", candidate.gflops,
                  candidate.of_cublas ? fmt::format("{:.1f} %", *candidate.of_cublas * 100) : "-", candidate.error,
                  text);
    else
        write_out("{:>10}{:>11}{:>10}  {}  {}\n", state_name(candidate.state), "-", "-", text,
                  candidate.failure.substr(0, candidate.failure.find('\n')));
}

// On standard error, so that standard output holds nothing but the result.
void show_progress(const Progress& progress)
{
    const bool found = !progress.ranked.empty() && progress.ranked.front().state == Candidate::State::right;
    tell_progress("{} of {} · best {:.0f} GFLOPS ", progress.done, progress.steps,
                  found ? progress.ranked.front().gflops : 0.0);
}

// What was found until then stays, also where the worker did not stop in time or came to nothing.
TuneResult search(Engine& engine, const TuneTask& task, const std::stop_token& stop)
{
    Progress last;
    const auto keep = [&last](const Progress& now) {
        last = now;
        show_progress(now);
    };
    std::string why;
    try {
        return engine.run(task, stop, keep);
    } catch (const kernels::Cancelled&) { // as a search that stopped in time
    } catch (const kernels::Error& error) {
        if (last.ranked.empty())
            throw;
        why = error.what();
    }
    return {.ranked = std::move(last.ranked), .done = last.done, .steps = last.steps, .whole = false, .error = why};
}

std::vector<std::string> names_of(const std::vector<std::string>& assignments)
{
    std::vector<std::string> names;
    for (const std::string& assignment : assignments)
        names.push_back(assignment.substr(0, assignment.find('=')));
    return names;
}

void print_all(const kernels::Stage& stage, const TuneResult& result)
{
    write_out("{:>10}{:>11}{:>10}\n", "GFLOPS", "of cuBLAS", "error");
    std::size_t waiting = 0;
    for (const Candidate& candidate : result.ranked)
        if (candidate.state == Candidate::State::waiting)
            ++waiting;
        else
            print(stage, candidate);
    if (!result.whole)
        write_out("{}: {} candidates were not timed, and nothing is remembered.\n",
                  result.error.empty() ? "Interrupted" : "Failed", waiting);
}

// Whether it is.
bool remember(const std::optional<Winner>& winner, bool all_competed)
{
    if (!winner)
        return false;
    const SaveResult saved = save({TunedFile::usual_path(), FoundWinner{*winner, all_competed}});
    if (!saved.notice.empty())
        tell("{}\n", saved.notice);
    return saved.written;
}

} // namespace

int tune_stage(const JobOptions& options, double seconds)
{
    const std::vector<kernels::Stage> ladder = ladder_with_own();
    const kernels::Stage& stage = kernels::find_stage(ladder, options.stages.empty() ? "autotuned" : options.stages[0]);
    const std::string size = one_size(options, kernels::facts(stage.operation).large_size,
                                      "One size is searched at a time; give one --size.");
    const recording::Problem problem = parse_size(size, options, stage.operation);
    const std::vector<std::string> fixed = names_of(options.parameters);
    const kernels::Job job{&stage, kernels::parse_parameters(stage, options.parameters), problem};
    const TuneTask task{named(job), fixed, {.seconds = seconds, .final_seconds = 10 * seconds}};

    const Interrupt interrupt;
    Engine engine(options.worker, options.backend.value_or("cuda"));
    const std::string gpu = engine.device().name;
    if (!options.json)
        write_out("{} at {} on {}: {} candidates\n", stage.slug, size, gpu, candidates_of(task, job).size());
    const TuneResult result = search(engine, task, interrupt.token());
    tell_progress("{:40}\r", "");
    const bool found = !result.ranked.empty() && result.ranked.front().state == Candidate::State::right;
    const bool remembered = remember(winner_of(task, result, stage, gpu), fixed.empty());
    if (options.json) {
        const TriedParameters all{.stage = std::string(stage.slug),
                                  .problem = problem,
                                  .gpu = gpu,
                                  .ranked = result.ranked,
                                  .whole = result.whole,
                                  .from = {}};
        write_json(to_json(all, stage));
    } else {
        print_all(stage, result);
        if (found)
            write_out("Best: {}{}\n", parameters_text(stage, result.ranked.front().parameters),
                      remembered ? fmt::format("; remembered for {} at {}.", gpu, size_class(problem)) : ".");
    }
    if (!result.error.empty())
        throw kernels::Error(result.error);
    return found && result.whole ? 0 : 1;
}

} // namespace app
