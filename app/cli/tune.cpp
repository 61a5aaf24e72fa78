#include "app/catalogue/searches.h"
#include "app/catalogue/tuned.h"
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"

#include <fmt/format.h>

#include <unistd.h>

#include <cstdio>

namespace app {

namespace {

using kernels::Candidate;

std::string parameters_text(const kernels::Stage& stage, const kernels::ParameterValues& values)
{
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", stage.parameters[i].name,
                            kernels::value_text(stage.parameters[i].name, values[i]));
    return text;
}

void print(const kernels::Stage& stage, const Candidate& candidate)
{
    const std::string text = parameters_text(stage, candidate.parameters);
    if (candidate.state == Candidate::State::right)
        fmt::print("{:>10.0f}{:>11}{:>10.1e}  {}\n", candidate.gflops,
                   candidate.of_cublas ? fmt::format("{:.1f} %", *candidate.of_cublas * 100) : "-", candidate.error,
                   text);
    else
        fmt::print("{:>10}{:>11}{:>10}  {}  {}\n", state_name(candidate.state), "-", "-", text,
                   candidate.failure.substr(0, candidate.failure.find('\n')));
}

// On standard error, so that standard output holds nothing but the result.
void show_progress(const kernels::Tuning& tuning)
{
    if (isatty(fileno(stderr)) == 0)
        return;
    const Candidate* best = tuning.best();
    fmt::print(stderr, "\r{} of {} · best {:.0f} GFLOPS ", tuning.steps_done(), tuning.steps(),
               best != nullptr ? best->gflops : 0.0);
    std::fflush(stderr);
}

// False when Ctrl-C came.
bool search(kernels::Tuning& tuning, kernels::Backend& backend, std::stop_token stop)
{
    bool whole = true;
    try {
        while (tuning.step(backend, stop))
            show_progress(tuning);
    } catch (const kernels::Cancelled&) {
        whole = false;
    }
    if (isatty(fileno(stderr)) != 0)
        fmt::print(stderr, "\r{:40}\r", "");
    return whole;
}

std::vector<std::string> names_of(const std::vector<std::string>& assignments)
{
    std::vector<std::string> names;
    for (const std::string& assignment : assignments)
        names.push_back(assignment.substr(0, assignment.find('=')));
    return names;
}

void print_all(const kernels::Tuning& tuning, bool whole)
{
    fmt::print("{:>10}{:>11}{:>10}\n", "GFLOPS", "of cuBLAS", "error");
    std::size_t waiting = 0;
    for (const Candidate* candidate : tuning.ranking())
        if (candidate->state == Candidate::State::waiting)
            ++waiting;
        else
            print(tuning.stage(), *candidate);
    if (!whole)
        fmt::print("Interrupted: {} candidates were not timed.\n", waiting);
}

// What only some candidates competed for does not replace a winner that is faster.
bool remember(const kernels::Tuning& tuning, const Candidate& best, const std::string& gpu, bool all_competed)
{
    TunedFile file;
    if (!file.broken().empty())
        fmt::print(stderr, "{}\n", file.broken());
    const Winner* known = file.find(gpu, tuning.stage(), tuning.problem());
    if (!all_competed && known != nullptr && known->gflops >= best.gflops)
        return false;
    file.remember(winner_of(tuning, best, gpu));
    return true;
}

} // namespace

int tune_stage(const JobOptions& options, double seconds)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const kernels::Stage& stage = kernels::find_stage(ladder, options.stages.empty() ? "autotuned" : options.stages[0]);
    if (options.sizes.size() > 1)
        throw kernels::Error("One size is searched at a time; give one --size.");
    const std::string size =
        options.sizes.empty() ? std::string(kernels::facts(stage.operation).large_size) : options.sizes.front();
    const recording::Problem problem = parse_size(size, options, stage.operation);
    const std::vector<std::string> fixed = names_of(options.parameters);
    std::vector<kernels::ParameterValues> sets =
        kernels::candidate_sets(stage, kernels::parse_parameters(stage, options.parameters), fixed);

    const Interrupt interrupt;
    const std::unique_ptr<kernels::Backend> backend =
        options.backend == "cpu" ? kernels::make_cpu_backend() : kernels::make_cuda_backend();
    const std::string gpu = backend->device().name;
    if (!options.json)
        fmt::print("{} at {} on {}: {} candidates\n", stage.slug, size, gpu, sets.size());
    kernels::Tuning tuning(stage, problem, std::move(sets), {.seconds = seconds, .final_seconds = 10 * seconds});
    const bool whole = search(tuning, *backend, interrupt.token());

    const Candidate* best = tuning.best();
    const bool remembered = best != nullptr && remember(tuning, *best, gpu, whole && fixed.empty());
    if (options.json) {
        TriedParameters all{.stage = std::string(stage.slug), .problem = problem, .gpu = gpu, .whole = whole};
        for (const Candidate* candidate : tuning.ranking())
            all.ranked.push_back(*candidate);
        fmt::print("{}\n", to_json(all, stage).dump(2));
    } else {
        print_all(tuning, whole);
        if (best != nullptr)
            fmt::print("Best: {}{}\n", parameters_text(stage, best->parameters),
                       remembered ? fmt::format("; remembered for {} at {}.", gpu, size_class(problem)) : ".");
    }
    return best != nullptr && whole ? 0 : 1;
}

} // namespace app
