#include "app/cli/commands.h"

#include "engine.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace app {

namespace {

struct Row {
    std::string stage, size;
    kernels::Timing timing;
    bool right = false;
    double error = 0;
    std::optional<double> gflops, of_cublas, of_peak; // gflops: of operations that are arithmetic
};

Row derive(const kernels::Job& job, const kernels::BenchResult& result, const recording::Device& device)
{
    Row row{.stage = std::string(job.stage->slug),
            .size = size_name(job.problem, job.stage->operation),
            .timing = result.stage,
            .right = result.relative_error <= kernels::tolerance(job),
            .error = result.relative_error,
            .gflops = {},
            .of_cublas = {},
            .of_peak = {}};
    if (const double work = kernels::operations(job.stage->operation, job.problem); work > 0)
        row.gflops = work / result.stage.median_ms * 1e-6;
    if (result.cublas.samples > 0)
        row.of_cublas = result.cublas.median_ms / result.stage.median_ms;
    if (device.peak_gflops > 0 && row.gflops)
        row.of_peak = *row.gflops / device.peak_gflops;
    return row;
}

nlohmann::json optional_number(const std::optional<double>& value)
{
    return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

// A stage that is wrong shows no speed.
nlohmann::json to_json(const Row& row)
{
    nlohmann::json result = {{"stage", row.stage},
                             {"size", row.size},
                             {"ok", row.right},
                             {"error", std::isfinite(row.error) ? nlohmann::json(row.error) : nlohmann::json(nullptr)},
                             {"gflops", row.right ? optional_number(row.gflops) : nlohmann::json(nullptr)},
                             {"of_cublas", row.right ? optional_number(row.of_cublas) : nlohmann::json(nullptr)},
                             {"of_peak", row.right ? optional_number(row.of_peak) : nlohmann::json(nullptr)},
                             {"median_ms", row.timing.median_ms},
                             {"low_ms", row.timing.low_ms},
                             {"high_ms", row.timing.high_ms},
                             {"samples", row.timing.samples}};
    return result;
}

// Large enough that the launch itself does not count.
std::vector<std::string> standard_size(const kernels::Stage& stage)
{
    return {std::string(kernels::facts(stage.operation).large_size)};
}

std::string percent(const std::optional<double>& share)
{
    return share ? fmt::format("{:.1f} %", *share * 100) : "-";
}

void print(const Row& row)
{
    if (!row.right) {
        fmt::print("{:<26}{:>12}  wrong result (error {:.1e}), so no speed\n", row.stage, row.size, row.error);
        return;
    }
    const double spread = (row.timing.high_ms - row.timing.low_ms) / row.timing.median_ms;
    fmt::print("{:<26}{:>12}{:>12.4f}{:>9}{:>14}{:>11}{:>10}{:>10.1e}\n", row.stage, row.size, row.timing.median_ms,
               fmt::format("{:.1f} %", spread * 100), row.gflops ? fmt::format("{:.0f}", *row.gflops) : "-",
               percent(row.of_cublas), percent(row.of_peak), row.error);
}

} // namespace

int bench_stages(const JobOptions& options, double seconds)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    std::vector<kernels::Job> jobs;
    for (const kernels::Stage* stage : chosen_stages(ladder, options.stages))
        for (const std::string& size : options.sizes.empty() ? standard_size(*stage) : options.sizes)
            jobs.push_back(make_job(*stage, options, parse_size(size, options, stage->operation)));

    const std::unique_ptr<kernels::Backend> backend =
        options.backend == "cpu" ? kernels::make_cpu_backend() : kernels::make_cuda_backend();
    const kernels::ProbeKind plain = kernels::ProbeKind::none;
    backend->prepare(jobs, std::span(&plain, 1), {});
    if (!options.json)
        fmt::print("{}; random inputs; median of interleaved runs, spread: middle half\n"
                   "{:<26}{:>12}{:>12}{:>9}{:>14}{:>11}{:>10}{:>10}\n",
                   backend->device().name, "stage", "size", "median ms", "spread", "GFLOPS", "of cuBLAS", "of peak",
                   "error");
    nlohmann::json rows = nlohmann::json::array();
    bool all_right = true;
    for (const kernels::Job& job : jobs) {
        const Row row = derive(job, backend->bench(job, {.seconds = seconds}, {}), backend->device());
        all_right = all_right && row.right;
        rows.push_back(to_json(row));
        if (!options.json)
            print(row);
    }
    if (options.json)
        fmt::print("{}\n", rows.dump(2));
    return all_right ? 0 : 1;
}

} // namespace app
