// Measures the speed goals on this machine and prints the results beside the goals. `goals --help` lists the options.
#include "goals.h"

#include "backend.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace bench {

namespace {

constexpr int repetitions = 5;

// Times `record` at 128^3: the whole grid is counted and one block is kept. Writing the file is not included.
void record_results(const Take& take)
{
    const std::unique_ptr<kernels::Backend> backend = kernels::make_cpu_backend();
    const recording::Index3 block{0, 0, 0};
    for (const kernels::Stage& stage : kernels::make_ladder()) {
        if (!kernels::missing_on(backend->device(), stage).empty())
            continue;
        recording::Problem problem{.M = 128, .N = 128, .K = 128};
        if (stage.operation == kernels::Operation::vector_add)
            problem.N = 128 * 128;
        const kernels::Job job{&stage, stage.standard_parameters(), kernels::used_part(stage.operation, problem)};
        Result result{fmt::format("record {}", stage.slug), "s", {}, 2.0, {}};
        for (int i = 0; i < repetitions; ++i) {
            const auto start = std::chrono::steady_clock::now();
            backend->record(job, {&block, 1}, {});
            result.samples.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        }
        take(std::move(result));
    }
}

void print_heading()
{
    fmt::print("On {} cores; the median of several runs, the fastest and the slowest; processor time of a frame.\n\n",
               std::thread::hardware_concurrency());
    fmt::print("{:<52} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "", "median", "fastest", "slowest", "CPU", "goal");
    std::fflush(stdout);
}

void print(const Result& result)
{
    const auto [least, most] = std::minmax_element(result.samples.begin(), result.samples.end());
    const double middle = median(result.samples);
    const std::string cpu = result.cpu_ms.empty() ? "" : fmt::format("{:.3f}", median(result.cpu_ms));
    fmt::print("{:<52} {:>9.3f} {:>9.3f} {:>9.3f} {:>9} {:>9.1f} {} {}\n", result.what, middle, *least, *most, cpu,
               result.goal, result.unit, middle <= result.goal ? "met" : "MISSED");
    std::fflush(stdout); // a reader at the other end of a pipe sees the output immediately
}

void print_json(const std::vector<Result>& results)
{
    nlohmann::json list = nlohmann::json::array();
    for (const Result& result : results)
        list.push_back({{"what", result.what},
                        {"unit", result.unit},
                        {"median", median(result.samples)},
                        {"samples", result.samples},
                        {"cpu_ms", result.cpu_ms},
                        {"goal", result.goal}});
    std::puts(list.dump(2).c_str());
}

struct Wanted {
    bool json = false, frames_alone = false, edits_alone = false, window_alone = false;
    double minutes = 1;
    std::string view; // empty: all
};

int measure(const Wanted& wanted)
{
    std::vector<Result> results;
    const Take take = [&](Result result) {
        if (!wanted.json)
            print(result);
        results.push_back(std::move(result));
    };
    if (!wanted.json)
        print_heading();
    const bool all = !wanted.frames_alone && !wanted.edits_alone && !wanted.window_alone;
    if (all) {
        record_results(take);
        worker_results(take);
    }
    if (all || wanted.window_alone) {
        start_results(take);
        rest_results(wanted.minutes, take);
    }
    if (all || wanted.edits_alone) {
        trace_results(take);
        edit_results(take);
    }
    if (all || wanted.frames_alone)
        frame_results(wanted.view, take);
    if (wanted.json)
        print_json(results);
    const bool met =
        std::ranges::all_of(results, [](const Result& result) { return median(result.samples) <= result.goal; });
    return met ? 0 : 1;
}

} // namespace
} // namespace bench

int main(int argc, char** argv)
{
    CLI::App app("Measures the speed goals on this machine: recording every rung on the CPU, a task in another "
                 "process, start of the window and its cost at rest and playing, edits, frame "
                 "time of every view. Exit status 1 when a goal is missed.");
    bench::Wanted wanted;
    app.add_flag("--json", wanted.json, "print JSON");
    app.add_flag("--frames", wanted.frames_alone, "the frames alone");
    app.add_flag("--edits", wanted.edits_alone, "edits and CUDA files alone");
    app.add_flag("--window", wanted.window_alone, "start of the window, and what it costs at rest and playing, alone");
    app.add_option("--minutes", wanted.minutes, "how long it plays before its memory is told: 1");
    app.add_option("view", wanted.view, "frames of this view alone");
    CLI11_PARSE(app, argc, argv);
    try {
        return bench::measure(wanted);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "goals: %s\n", error.what());
        return 1;
    }
}
