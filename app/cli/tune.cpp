#include "app/tasks/tune.h"
#include "app/catalogue/searches.h"
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/job.h"
#include "app/cli/own_stages.h"
#include "app/tasks/save.h"
#include "app/text/format.h"
#include "app/text/tell.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace app {

namespace {

using kernels::Candidate;
using nlohmann::json;

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

struct TuneOptions : JobOptions {
    double seconds = 0.05; // for the samples of each candidate
};

struct TuneRun {
    const kernels::Stage& stage;
    TuneTask task;
    std::string gpu;
    TuneResult result;
    bool found() const { return !result.ranked.empty() && result.ranked.front().state == Candidate::State::right; }
};

// What was tried, the best first; what was not timed is left out.
Table table_of(const TuneRun& search)
{
    Table table("candidates",
                "gflops=GFLOPS:{:.0f} | of_cublas=of cuBLAS:% | error:{:.1e} | state=:< | parameters=:< | why=:<");
    for (const Candidate& one : search.result.ranked) {
        const bool right = one.state == Candidate::State::right;
        if (one.state != Candidate::State::waiting)
            table.add({right ? json(one.gflops) : json(), right ? given(one.of_cublas) : json(),
                       right ? json(one.error) : json(), right ? "" : state_name(one.state),
                       parameters_text(search.stage, one.parameters), one.failure.substr(0, one.failure.find('\n'))});
    }
    return table;
}

void print(const TuneRun& search, bool remembered, Output& out)
{
    const TuneResult& result = search.result;
    out.print(table_of(search));
    if (!result.whole)
        out.say("{}: {} candidates were not timed, and nothing is remembered.\n",
                result.error.empty() ? "Interrupted" : "Failed",
                std::ranges::count(result.ranked, Candidate::State::waiting, &Candidate::state));
    if (search.found())
        out.say("Best: {}{}\n", parameters_text(search.stage, result.ranked.front().parameters),
                remembered ? fmt::format("; remembered for {} at {}.", search.gpu, size_class(search.task.job.problem))
                           : ".");
    const TriedParameters all{.stage = std::string(search.stage.slug),
                              .problem = search.task.job.problem,
                              .gpu = search.gpu,
                              .ranked = result.ranked,
                              .whole = result.whole,
                              .from = {}};
    out.end(to_json(all, search.stage));
}

// Searches for the fastest parameters of one stage, and remembers them. Ctrl-C ends the search, not the table.
int tune_stage(const TuneOptions& options)
{
    const std::vector<kernels::Stage> ladder = ladder_with_own();
    const kernels::Stage& stage = kernels::find_stage(ladder, options.stages.empty() ? "autotuned" : options.stages[0]);
    const std::string size = one_size(options, kernels::facts(stage.operation).large_size,
                                      "One size is searched at a time; give one --size.");
    const std::vector<std::string> fixed = names_of(options.parameters);
    const kernels::Job job{&stage, kernels::parse_parameters(stage, options.parameters),
                           parse_size(size, options, stage.operation)};
    TuneRun found{
        stage, {named(job), fixed, {.seconds = options.seconds, .final_seconds = 10 * options.seconds}}, {}, {}};
    const Interrupt interrupt;
    Engine engine(options.worker, options.backend.value_or("cuda"));
    found.gpu = engine.device().name;
    Output out(options.form);
    out.say("{} at {} on {}: {} candidates\n", stage.slug, size, found.gpu, candidates_of(found.task, job).size());
    found.result = search(engine, found.task, interrupt.token());
    tell_progress("{:40}\r", "");
    print(found, remember(winner_of(found.task, found.result, stage, found.gpu), fixed.empty()), out);
    if (!found.result.error.empty())
        throw kernels::Error(found.result.error);
    return found.found() && found.result.whole ? 0 : 1;
}

} // namespace

void add_tune_command(CLI::App& program, int& status)
{
    const auto [command, options] = add_command<TuneOptions>(
        program, status, "tune", "search for the fastest parameters (needs an NVIDIA GPU)", tune_stage);
    command->add_option_function<std::string>(
        "stage", [options = options](const std::string& slug) { options->stages = {slug}; },
        "a stage; default: autotuned");
    add_job(*command, *options);
    command->add_option("--seconds", options->seconds, "time for the samples of each candidate")
        ->check(CLI::Range(0.01, 60.0));
}

} // namespace app
