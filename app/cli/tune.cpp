#include "app/cli/job.h"
#include "app/data/searches.h"
#include "app/engine/files.h"
#include "app/engine/measure.h"
#include "app/text/format.h"

namespace app {

namespace {

using kernels::Candidate;
using nlohmann::json;

// Prints to standard error, so that standard output contains only the result.
void show_progress(const Progress& progress)
{
    const bool found = !progress.ranked.empty() && progress.ranked.front().state == Candidate::State::right;
    tell_progress("{} of {} · best {:.0f} GFLOPS ", progress.done, progress.steps,
                  found ? progress.ranked.front().gflops : 0.0);
}

// Runs a search. Keeps the results so far if the worker does not stop in time or fails.
TuneResult search(CommandWorker& engine, const TuneTask& task)
{
    Progress last;
    const auto keep = [&last](const Progress& now) {
        last = now;
        show_progress(now);
    };
    std::string why;
    try {
        return engine.run(task, keep);
    } catch (const kernels::Cancelled&) { // treated like a search that stopped in time
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

// Stores the winner. Returns whether it was stored.
bool remember(const std::optional<Winner>& winner, bool all_competed)
{
    if (!winner)
        return false;
    const SaveResult saved = SaveTask{TunedFile::usual_path(), FoundWinner{*winner, all_competed}}.write();
    if (!saved.notice.empty())
        tell("{}\n", saved.notice);
    return saved.written;
}

struct TuneOptions : JobOptions {
    TuneOptions() { stages = {"autotuned"}; }
    double seconds = 0.05; // time for the samples of each candidate
};

void fields(OptionList& option, TuneOptions& options)
{
    stage_option(option, options, "a stage; default: autotuned");
    job_options(option, options);
    option("--seconds", options.seconds, "time for the samples of each candidate", between(0.01, 60.0));
}

struct TuneRun {
    const kernels::Stage& stage;
    TuneTask task;
    std::string gpu;
    TuneResult result;
    bool found() const { return !result.ranked.empty() && result.ranked.front().state == Candidate::State::right; }
};

// Returns the timed candidates, best first.
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

// Searches for the fastest parameters of one stage and stores them. Ctrl-C ends the search, and the table is still
// printed.
int tune_stage(const TuneOptions& options, Output& out)
{
    const std::vector<kernels::Stage> ladder = ladder_with_own();
    const kernels::Job job = one_job(ladder, options, "One size is searched at a time; give one --size.",
                                     &kernels::OperationFacts::large_size);
    const kernels::Stage& stage = *job.stage;
    const std::vector<std::string> fixed = names_of(options.parameters);
    TuneRun found{
        stage, {named(job), fixed, {.seconds = options.seconds, .final_seconds = 10 * options.seconds}}, {}, {}};
    const Interrupt interrupt;
    CommandWorker engine(options.worker, options.backend.value_or("cuda"), interrupt.token());
    found.gpu = engine.device().name;
    out.say("{} at {} on {}: {} candidates\n", stage.slug, size_name(job.problem, stage.operation), found.gpu,
            candidates_of(found.task, job).size());
    found.result = search(engine, found.task);
    print(found, remember(winner_of(found.task, found.result, stage, found.gpu), fixed.empty()), out);
    if (!found.result.error.empty())
        throw kernels::Error(found.result.error);
    return found.found() && found.result.whole ? 0 : 1;
}

} // namespace

const Subcommand tune_command = {"tune", "search for the fastest parameters (needs an NVIDIA GPU)",
                                 declare<tune_stage>};

} // namespace app
