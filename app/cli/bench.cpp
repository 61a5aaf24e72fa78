#include "app/catalogue/checked_json.h"
#include "app/catalogue/speeds.h"
#include "app/cli/commands.h"
#include "app/cli/counted_library.h"
#include "app/cli/own_stages.h"
#include "app/cli/shape_summary.h"
#include "app/tasks/baseline.h"
#include "app/tasks/measure.h"
#include "app/tasks/prepare.h"
#include "app/text/tell.h"

#include "gemm/element_type.h"
#include "gemm/random_shapes.h"
#include "measure/baseline.h"

#include "viz/analysis/over_naive.h"
#include "viz/text/figures.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace app {

namespace {

using Row = TimedRow;

struct Library {
    const kernels::Baseline* baseline;
    recording::Problem problem;
};

Row row_of(const kernels::Job& job, const MeasureResult& result)
{
    return {.slug = std::string(job.stage->slug),
            .operation = job.stage->operation,
            .parameters = job.parameters,
            .problem = job.problem,
            .type = std::string(kernels::name_of(kernels::type_of(job))),
            .right = result.right,
            .error = result.bench.relative_error,
            .total_error = result.bench.total_error,
            .timing = result.bench.stage,
            .gflops = result.speed.gflops,
            .of_cublas = result.speed.of_cublas,
            .of_best = result.speed.of_best,
            .of_peak = result.speed.of_peak,
            .cublas_missing = result.bench.cublas_missing};
}

Row row_of(const Library& library, const BaselineResult& result)
{
    const kernels::Precision precision = library.baseline->precision;
    Row row{.slug = std::string(library.baseline->slug),
            .problem = library.problem,
            .type = precision.fp64 ? "fp64" : std::string(kernels::name_of(precision.type)),
            .missing = result.missing};
    if (!result.timed)
        return row;
    row.timing = result.timed->timing;
    row.right = result.timed->right();
    row.error = result.timed->relative_error;
    row.total_error = result.timed->total_error;
    row.gflops = result.timed->gflops;
    row.rows_timed = result.timed->rows_timed < library.problem.M ? result.timed->rows_timed : 0;
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
std::string standard_size(kernels::Operation operation)
{
    return std::string(kernels::facts(operation).large_size);
}

std::string share_text(const std::optional<double>& share)
{
    return share ? viz::percent(*share) : "-";
}

// How many times as fast as naive, where that was timed in the same run at this size.
std::optional<double> over_naive(const std::vector<Row>& rows, const Row& row)
{
    for (const Row& naive : rows)
        if (naive.slug == viz::first_rung && naive.right && naive.gflops && row.right && row.gflops &&
            naive.problem == row.problem)
            return *row.gflops / *naive.gflops;
    return {};
}

std::string energy_words(const Row& row)
{
    const kernels::Energy& energy = row.timing.energy;
    if (!energy.joules)
        return energy.missing.empty() ? "" : "  " + energy.missing;
    const std::optional<double> work = gflop_per_joule(row);
    return fmt::format("  {:.3g} J, {:.0f} W{}", *energy.joules, 1e3 * *energy.joules / energy.ms,
                       work ? fmt::format(", {:.1f} GFLOP/J", *work) : "");
}

void print(const Row& row, const std::optional<double>& times)
{
    const std::string size = size_name(row.problem, row.operation);
    if (!row.missing.empty()) {
        write_out("{:<26}{:>12}  {}\n", row.slug, size, row.missing);
        return;
    }
    if (!row.right) {
        write_out("{:<26}{:>12}  wrong result (error {:.1e}), so no speed\n", row.slug, size, row.error);
        return;
    }
    const double spread = (row.timing.high_ms - row.timing.low_ms) / row.timing.median_ms;
    const auto figure = [](double value) { return fmt::format("{:.{}f}", value, value < 10 ? 2 : 0); };
    write_out("{:<26}{:>12}{:>6}{:>12.4f}{:>9}{:>14}{:>12}{:>11}{:>13}{:>10}{:>10.1e}{:>10.1e}{}\n", row.slug, size,
              row.type, row.timing.median_ms, fmt::format("{:.1f} %", spread * 100),
              row.gflops ? figure(*row.gflops) : "-", times ? fmt::format("{} x", figure(*times)) : "-",
              share_text(row.of_cublas), share_text(row.of_best), share_text(row.of_peak), row.error, row.total_error,
              (row.rows_timed > 0 ? fmt::format("  {} rows timed, the rest reckoned", row.rows_timed) : "") +
                  energy_words(row));
}

void print_kernels(const Row& row)
{
    if (row.kernels.empty() && row.kernels_missing.empty())
        return;
    write_out("{} at {} launches {}\n", row.slug, size_name(row.problem, row.operation),
              row.kernels.empty() ? "what nobody could trace: " + row.kernels_missing : "");
    app::print(row.kernels);
}

// After everything was timed: a GPU that is being traced may take longer.
void trace(const std::vector<Library>& libraries, std::span<Row> rows, Engine& engine)
{
    for (std::size_t i = 0; i < libraries.size(); ++i) {
        if (!rows[i].missing.empty())
            continue;
        BaselineResult traced = engine.run(BaselineTask{.baseline = std::string(libraries[i].baseline->slug),
                                                        .problem = libraries[i].problem,
                                                        .seconds = 0,
                                                        .traced = true});
        rows[i].kernels = std::move(traced.kernels);
        rows[i].kernels_missing = std::move(traced.kernels_missing);
    }
}

struct Chosen {
    std::vector<kernels::Job> jobs;
    std::vector<Library> libraries;
};

// Stages and baselines, by their names; all of both when none is named.
Chosen choose(const std::vector<kernels::Stage>& ladder, const JobOptions& options)
{
    auto [stages, baselines] = named_in(ladder, options.stages);
    if (options.stages.empty())
        for (const kernels::Baseline& baseline : kernels::baselines())
            baselines.push_back(&baseline);
    Chosen result;
    const auto add = [&](const kernels::Stage& stage, const std::string& size) {
        result.jobs.push_back(make_job(stage, options, parse_size(size, options, stage.operation)));
    };
    if (options.sizes.empty())
        for (const kernels::Stage* stage : stages)
            add(*stage, standard_size(stage->operation));
    for (const std::string& size : options.sizes) // size by size: benches of one problem share its matrices
        for (const kernels::Stage* stage : stages)
            add(*stage, size);
    constexpr kernels::Operation gemm = kernels::Operation::gemm;
    for (const kernels::Baseline* baseline : baselines)
        for (const std::string& size : options.sizes.empty() ? std::vector{standard_size(gemm)} : options.sizes)
            result.libraries.push_back({baseline, parse_size(size, options, gemm)});
    return result;
}

void print_heading(const recording::Device& device)
{
    write_out("{}; random inputs; median of interleaved runs, spread: middle half\n"
              "error: of the sums; total: with what rounding A and B to the type costs\n"
              "of its best: of the fastest of all of cuBLAS's algorithms\n"
              "{:<26}{:>12}{:>6}{:>12}{:>9}{:>14}{:>12}{:>11}{:>13}{:>10}{:>10}{:>10}\n",
              device.name, "stage", "size", "type", "median ms", "spread", "GFLOPS", "over naive", "of cuBLAS",
              "of its best", "of peak", "error", "total");
}

std::unique_ptr<Engine> gpu_engine(const JobOptions& options)
{
    try {
        return std::make_unique<Engine>(options.worker, "cuda");
    } catch (const kernels::Unavailable& missing) {
        throw kernels::Unavailable(fmt::format(
            "{} What this CPU makes of a product: gemmscope bench cpu_loop cpu_blas_one cpu_blas.", missing.what()));
    }
}

} // namespace

int bench_stages(JobOptions options, const BenchOptions& what)
{
    const auto& [seconds, kernels, shapes, seed, energy] = what;
    const double energy_seconds = energy ? 1 : 0;
    if (shapes > 0 && !options.sizes.empty())
        throw kernels::Error("--shapes draws its own sizes; leave out --size.");
    if (shapes > 0 && options.stages.empty())
        options.stages = {"fastest", "wgmma_tma"};
    for (const recording::Problem& shape : kernels::random_shapes(shapes, seed))
        options.sizes.push_back(size_name(shape, kernels::Operation::gemm));
    const std::vector<kernels::Stage> ladder = ladder_with_own();
    const Chosen chosen = choose(ladder, options);
    const bool needs_gpu = !chosen.jobs.empty() || std::ranges::any_of(chosen.libraries, [](const Library& library) {
        return library.baseline->needs_gpu();
    });
    const std::unique_ptr<Engine> own =
        options.backend == "cpu" || !needs_gpu ? std::make_unique<Engine>(options.worker, "cpu") : gpu_engine(options);
    Engine& engine = *own;
    std::vector<kernels::Job> jobs = chosen.jobs;
    leave_out_missing(jobs, options, engine.device());
    use_tuned(jobs, options, engine.device());
    engine.run(PrepareTask{all_named(jobs)});
    if (!options.json)
        print_heading(engine.device());
    std::vector<Row> rows;
    const auto add = [&](Row row) {
        rows.push_back(std::move(row));
        if (!options.json)
            print(rows.back(), over_naive(rows, rows.back()));
    };
    for (const kernels::Job& job : jobs)
        add(row_of(
            job, engine.run(MeasureTask{
                     .job = named(job), .seconds = seconds, .energy_seconds = energy_seconds, .library_best = true})));
    for (const Library& library : chosen.libraries)
        add(row_of(library, engine.run(BaselineTask{.baseline = std::string(library.baseline->slug),
                                                    .problem = library.problem,
                                                    .seconds = seconds,
                                                    .energy_seconds = energy_seconds})));
    const std::span libraries = std::span(rows).subspan(jobs.size());
    if (kernels)
        trace(chosen.libraries, libraries, engine);
    if (options.json) {
        nlohmann::json all = nlohmann::json::array();
        for (const Row& row : rows)
            all.emplace_back(to_json(row, ladder))["over_naive"] = or_null(over_naive(rows, row));
        if (shapes > 0) {
            nlohmann::ordered_json summary = nlohmann::ordered_json::array();
            for (const ShapeSummary& one : summaries(rows))
                summary.push_back(to_json(one));
            write_json(nlohmann::ordered_json{{"seed", seed}, {"summary", summary}, {"rows", all}});
        } else {
            write_json(all);
        }
    } else {
        std::ranges::for_each(libraries, print_kernels);
        if (shapes > 0)
            for (const ShapeSummary& one : summaries(rows))
                app::print(one);
    }
    return succeeded(rows, options) ? 0 : 1;
}

} // namespace app
