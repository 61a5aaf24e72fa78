#include "app/catalogue/speeds.h"
#include "app/cli/commands.h"
#include "app/cli/launched_kernels.h"

#include "gemm/element_type.h"
#include "measure/baseline.h"
#include "measure/speed.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace app {

namespace {

using Row = TimedRow;

struct Library {
    const kernels::Baseline* baseline;
    recording::Problem problem;
};

Row derive(const kernels::Job& job, const kernels::BenchResult& result, const recording::Device& device)
{
    const kernels::SpeedFigures figures = kernels::speed_figures(job, result, device);
    return {.slug = std::string(job.stage->slug),
            .operation = job.stage->operation,
            .parameters = job.parameters,
            .problem = job.problem,
            .type = std::string(kernels::name_of(kernels::type_of(job))),
            .right = result.relative_error <= kernels::tolerance(job),
            .error = result.relative_error,
            .total_error = result.total_error,
            .timing = result.stage,
            .gflops = figures.gflops,
            .of_cublas = figures.of_cublas,
            .of_peak = figures.of_peak,
            .cublas_missing = result.cublas_missing};
}

Row bench(kernels::Backend& backend, const kernels::Baseline& baseline, const recording::Problem& problem,
          double seconds)
{
    const kernels::Precision precision = baseline.precision;
    Row row{.slug = std::string(baseline.slug),
            .parameters = {},
            .problem = problem,
            .type = precision.fp64 ? "fp64" : std::string(kernels::name_of(precision.type))};
    try {
        const kernels::BaselineResult result =
            kernels::bench_baseline(backend, baseline, problem, {.seconds = seconds}, {});
        row.timing = result.timing;
        row.right = result.right();
        row.error = result.relative_error;
        row.total_error = result.total_error;
        row.gflops = result.gflops;
        row.rows_timed = result.rows_timed < problem.M ? result.rows_timed : 0;
    } catch (const kernels::Unavailable& missing) {
        row.missing = missing.what();
    }
    return row;
}

// Whether all that was named is there and right. Of what was not named, a library may be missing: its row says so.
bool succeeded(const std::vector<Row>& rows, const JobOptions& options)
{
    return std::ranges::all_of(rows, [&](const Row& row) {
        return row.missing.empty() ? row.right : std::ranges::find(options.stages, row.slug) == options.stages.end();
    });
}

// Large enough that the launch itself does not count.
std::vector<std::string> standard_size(kernels::Operation operation)
{
    return {std::string(kernels::facts(operation).large_size)};
}

std::string share_text(const std::optional<double>& share)
{
    return share ? viz::percent(*share) : "-";
}

void print(const Row& row)
{
    const std::string size = size_name(row.problem, row.operation);
    if (!row.missing.empty()) {
        fmt::print("{:<26}{:>12}  {}\n", row.slug, size, row.missing);
        return;
    }
    if (!row.right) {
        fmt::print("{:<26}{:>12}  wrong result (error {:.1e}), so no speed\n", row.slug, size, row.error);
        return;
    }
    const double spread = (row.timing.high_ms - row.timing.low_ms) / row.timing.median_ms;
    const auto figure = [](double value) { return fmt::format("{:.{}f}", value, value < 10 ? 2 : 0); };
    fmt::print("{:<26}{:>12}{:>6}{:>12.4f}{:>9}{:>14}{:>11}{:>10}{:>10.1e}{:>10.1e}{}\n", row.slug, size, row.type,
               row.timing.median_ms, fmt::format("{:.1f} %", spread * 100), row.gflops ? figure(*row.gflops) : "-",
               share_text(row.of_cublas), share_text(row.of_peak), row.error, row.total_error,
               row.rows_timed > 0 ? fmt::format("  {} rows timed, the rest reckoned", row.rows_timed) : "");
}

void print_kernels(const Row& row)
{
    if (row.kernels.empty() && row.kernels_missing.empty())
        return;
    fmt::print("{} at {} launches {}\n", row.slug, size_name(row.problem, row.operation),
               row.kernels.empty() ? "what nobody could trace: " + row.kernels_missing : "");
    app::print(row.kernels);
}

// After everything was timed: a GPU that is being traced may take longer.
void trace(kernels::Backend& backend, const std::vector<Library>& libraries, std::span<Row> rows)
{
    for (std::size_t i = 0; i < libraries.size(); ++i) {
        if (!libraries[i].baseline->needs_gpu() || !rows[i].missing.empty())
            continue;
        try {
            rows[i].kernels = backend.cublas_kernels(libraries[i].baseline->precision, libraries[i].problem, {});
        } catch (const kernels::Error& missing) { // after all timing, which must not be lost
            rows[i].kernels_missing = missing.what();
        }
    }
}

struct Chosen {
    std::vector<kernels::Job> jobs;
    std::vector<Library> libraries;
};

// Stages and baselines, by their names; all of both when none is named.
Chosen choose(const std::vector<kernels::Stage>& ladder, const JobOptions& options)
{
    std::vector<const kernels::Stage*> stages;
    std::vector<const kernels::Baseline*> baselines;
    for (const std::string& slug : options.stages)
        if (const kernels::Baseline* baseline = kernels::find_baseline(slug))
            baselines.push_back(baseline);
        else
            stages.push_back(&kernels::find_stage(ladder, slug));
    if (options.stages.empty()) {
        stages = chosen_stages(ladder, {});
        for (const kernels::Baseline& baseline : kernels::baselines())
            baselines.push_back(&baseline);
    }
    Chosen result;
    const auto add = [&](const kernels::Stage& stage, const std::string& size) {
        result.jobs.push_back(make_job(stage, options, parse_size(size, options, stage.operation)));
    };
    if (options.sizes.empty())
        for (const kernels::Stage* stage : stages)
            for (const std::string& size : standard_size(stage->operation))
                add(*stage, size);
    for (const std::string& size : options.sizes) // size by size: benches of one problem share its matrices
        for (const kernels::Stage* stage : stages)
            add(*stage, size);
    constexpr kernels::Operation gemm = kernels::Operation::gemm;
    for (const kernels::Baseline* baseline : baselines)
        for (const std::string& size : options.sizes.empty() ? standard_size(gemm) : options.sizes)
            result.libraries.push_back({baseline, parse_size(size, options, gemm)});
    return result;
}

void print_heading(const recording::Device& device)
{
    fmt::print("{}; random inputs; median of interleaved runs, spread: middle half\n"
               "error: of the sums; total: with what rounding A and B to the type costs\n"
               "{:<26}{:>12}{:>6}{:>12}{:>9}{:>14}{:>11}{:>10}{:>10}{:>10}\n",
               device.name, "stage", "size", "type", "median ms", "spread", "GFLOPS", "of cuBLAS", "of peak", "error",
               "total");
}

std::unique_ptr<kernels::Backend> gpu_backend()
{
    try {
        return kernels::make_cuda_backend();
    } catch (const kernels::Unavailable& missing) {
        throw kernels::Unavailable(
            fmt::format("{} What this CPU makes of a product: gemmscope bench cpu_loop cpu_blas.", missing.what()));
    }
}

} // namespace

int bench_stages(const JobOptions& options, double seconds, bool kernels)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const Chosen chosen = choose(ladder, options);
    const bool needs_gpu = !chosen.jobs.empty() || std::ranges::any_of(chosen.libraries, [](const Library& library) {
        return library.baseline->needs_gpu();
    });
    const std::unique_ptr<kernels::Backend> backend =
        options.backend == "cpu" || !needs_gpu ? kernels::make_cpu_backend() : gpu_backend();
    std::vector<kernels::Job> jobs = chosen.jobs;
    leave_out_missing(jobs, options, backend->device());
    use_tuned(jobs, options, backend->device());
    const kernels::ProbeKind plain = kernels::ProbeKind::none;
    backend->prepare(jobs, std::span(&plain, 1), {});
    if (!options.json)
        print_heading(backend->device());
    std::vector<Row> rows;
    const auto add = [&](Row row) {
        if (!options.json)
            print(row);
        rows.push_back(std::move(row));
    };
    for (const kernels::Job& job : jobs)
        add(derive(job, backend->bench(job, {.seconds = seconds}, {}), backend->device()));
    for (const Library& library : chosen.libraries)
        add(bench(*backend, *library.baseline, library.problem, seconds));
    const std::span libraries = std::span(rows).subspan(jobs.size());
    if (kernels)
        trace(*backend, chosen.libraries, libraries);
    if (options.json) {
        nlohmann::json all = nlohmann::json::array();
        for (const Row& row : rows)
            all.push_back(to_json(row, ladder));
        fmt::print("{}\n", all.dump(2));
    } else {
        std::ranges::for_each(libraries, print_kernels);
    }
    return succeeded(rows, options) ? 0 : 1;
}

} // namespace app
