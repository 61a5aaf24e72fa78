#include "app/catalogue/checked_json.h"
#include "app/catalogue/speeds.h"
#include "app/cli/commands.h"
#include "app/cli/counted.h"
#include "app/cli/job.h"
#include "app/cli/own_stages.h"
#include "app/cli/shape_summary.h"
#include "app/tasks/baseline.h"
#include "app/tasks/measure.h"
#include "app/tasks/prepare.h"

#include "gemm/element_type.h"
#include "gemm/random_shapes.h"
#include "measure/baseline.h"

#include "viz/analysis/over_naive.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <span>

namespace app {

namespace {

using nlohmann::json;
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

// How many times as fast as naive, where that was timed in the same run at this size.
std::optional<double> over_naive(const std::vector<Row>& rows, const Row& row)
{
    for (const Row& naive : rows)
        if (naive.slug == viz::first_rung && naive.right && naive.gflops && row.right && row.gflops &&
            naive.problem == row.problem)
            return *row.gflops / *naive.gflops;
    return {};
}

// What a row says beside its figures.
json note_of(const json& row)
{
    if (row.contains("missing"))
        return nullptr;
    if (!row.at("ok").get<bool>())
        return "wrong result, so no speed";
    std::string note;
    if (const auto timed = row.find("rows_timed"); timed != row.end())
        note = fmt::format("{} rows timed, the rest reckoned", timed->get<uint64_t>());
    if (const auto missing = row.find("energy_missing"); missing != row.end())
        note += (note.empty() ? "" : "; ") + missing->get<std::string>();
    return note;
}

// Null where a member is missing.
json quotient(const json& row, const char* above, const char* below)
{
    const auto a = row.find(above), b = row.find(below);
    const bool both = a != row.end() && a->is_number() && b != row.end() && b->is_number();
    return both ? json(a->get<double>() / b->get<double>()) : json();
}

json spread_of(const json& row)
{
    const json high = quotient(row, "high_ms", "median_ms"), low = quotient(row, "low_ms", "median_ms");
    return high.is_null() || low.is_null() ? json() : json(high.get<double>() - low.get<double>());
}

json watts_of(const json& row)
{
    const json kilowatts = quotient(row, "joules", "energy_ms");
    return kilowatts.is_null() ? json() : json(1e3 * kilowatts.get<double>());
}

// Of the rows of --json.
Table table_of_rows(bool energy)
{
    const std::string columns =
        "stage:< | size | type | median_ms:{:.4f} | spread:% | gflops=GFLOPS:rate | over_naive:{:.4g} x | of_cublas=of "
        "cuBLAS:% | of_best=of its best:% | of_peak:% | error:{:.1e} | total_error=total:{:.1e}";
    Table table("bench", columns +
                             (energy ? " | joules=J:{:.3g} | watts=W:{:.0f} | gflop_per_joule=GFLOP/J:{:.1f}" : "") +
                             " | note=:<");
    table.derive("spread", spread_of);
    table.derive("note", note_of);
    if (energy)
        table.derive("watts", watts_of);
    return table;
}

void print_kernels(Output& out, const Row& row)
{
    if (row.kernels.empty() && row.kernels_missing.empty())
        return;
    out.say("{} at {} launches {}\n", row.slug, size_name(row.problem, row.operation),
            row.kernels.empty() ? "what could not be traced: " + row.kernels_missing : "");
    if (!row.kernels.empty())
        out.print(table_of(row.kernels));
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

std::unique_ptr<Engine> gpu_engine(const JobOptions& options)
{
    try {
        return std::make_unique<Engine>(options.worker, "cuda");
    } catch (const kernels::Unavailable& missing) {
        throw kernels::Unavailable(fmt::format(
            "{} What this CPU makes of a product: gemmscope bench cpu_loop cpu_blas_one cpu_blas.", missing.what()));
    }
}

struct BenchOptions : JobOptions {
    double seconds = 1.0;   // for the samples of each
    bool kernels = false;   // which kernels cuBLAS launches, too
    std::size_t shapes = 0; // so many drawn at random instead of sizes that are given; 0: none
    uint32_t seed = 1;      // of these
    bool energy = false;    // of a launch, too
};

void draw_shapes(BenchOptions& options)
{
    if (options.shapes > 0 && !options.sizes.empty())
        throw kernels::Error("--shapes draws its own sizes; leave out --size.");
    if (options.shapes > 0 && options.stages.empty())
        options.stages = {"fastest", "wgmma_tma"};
    for (const recording::Problem& shape : kernels::random_shapes(options.shapes, options.seed))
        options.sizes.push_back(size_name(shape, kernels::Operation::gemm));
}

std::unique_ptr<Engine> engine_for(const Chosen& chosen, const BenchOptions& options)
{
    const bool needs_gpu = !chosen.jobs.empty() || std::ranges::any_of(chosen.libraries, [](const Library& library) {
        return library.baseline->needs_gpu();
    });
    return options.backend == "cpu" || !needs_gpu ? std::make_unique<Engine>(options.worker, "cpu")
                                                  : gpu_engine(options);
}

// Each row is handed on as soon as it was timed.
std::vector<Row> time_all(const std::vector<kernels::Job>& jobs, const std::vector<Library>& libraries,
                          const BenchOptions& options, Engine& engine, const auto& add)
{
    const double energy_seconds = options.energy ? 1 : 0;
    std::vector<Row> rows;
    for (const kernels::Job& job : jobs)
        add(rows, row_of(job, engine.run(MeasureTask{.job = named(job),
                                                     .seconds = options.seconds,
                                                     .energy_seconds = energy_seconds,
                                                     .library_best = true})));
    for (const Library& library : libraries)
        add(rows, row_of(library, engine.run(BaselineTask{.baseline = std::string(library.baseline->slug),
                                                          .problem = library.problem,
                                                          .seconds = options.seconds,
                                                          .energy_seconds = energy_seconds})));
    return rows;
}

int bench_stages(BenchOptions options)
{
    draw_shapes(options);
    const std::vector<kernels::Stage> ladder = ladder_with_own();
    const Chosen chosen = choose(ladder, options);
    const std::unique_ptr<Engine> own = engine_for(chosen, options);
    Engine& engine = *own;
    std::vector<kernels::Job> jobs = chosen.jobs;
    leave_out_missing(jobs, options, engine.device());
    use_tuned(jobs, options, engine.device());
    engine.run(PrepareTask{all_named(jobs)});
    Output out(options.form);
    out.say("{}; random inputs; median of interleaved runs, spread: middle half\n"
            "error: of the sums; total: with what rounding A and B to the type costs\n"
            "of its best: of the fastest of all of cuBLAS's algorithms\n",
            engine.device().name);
    out.begin(table_of_rows(options.energy));
    const auto json_of_row = [&](const std::vector<Row>& rows, const Row& row) {
        json result = to_json(row, ladder);
        result["over_naive"] = or_null(over_naive(rows, row));
        return result;
    };
    std::vector<Row> rows = time_all(jobs, chosen.libraries, options, engine, [&](std::vector<Row>& done, Row row) {
        done.push_back(std::move(row));
        out.add(json_of_row(done, done.back()));
    });
    const std::span libraries = std::span(rows).subspan(jobs.size());
    if (options.kernels)
        trace(chosen.libraries, libraries, engine);
    for (const Row& row : libraries)
        print_kernels(out, row);
    json all = json::array(); // anew: naive may have been timed after another, and the libraries were traced
    for (const Row& row : rows)
        all.push_back(json_of_row(rows, row));
    if (options.shapes == 0) {
        out.end(all);
    } else {
        const nlohmann::ordered_json summary = shape_summaries(rows);
        print(summary, out);
        out.end(nlohmann::ordered_json{{"seed", options.seed}, {"summary", summary}, {"rows", all}});
    }
    return succeeded(rows, options) ? 0 : 1;
}

} // namespace

void add_bench_command(CLI::App& program, int& status)
{
    const auto [command, options] = add_command<BenchOptions>(
        program, status, "bench", "time stages beside cuBLAS, and libraries and CPU loops", bench_stages);
    command->add_option("stage", options->stages, "stages and baselines, see 'stages'; default: all");
    add_job(*command, *options);
    command->add_option("--seconds", options->seconds, "time for the samples of each stage")
        ->check(CLI::Range(0.01, 600.0));
    command->add_flag("--kernels", options->kernels, "of cuBLAS: which kernels it launches, as CUPTI traces them");
    command->add_flag("--energy", options->energy, "of a launch, too: it takes a second or more");
    command
        ->add_option("--shapes", options->shapes,
                     "so many shapes drawn at random instead of sizes; default stages then: fastest wgmma_tma")
        ->check(CLI::Range(1, 1000));
    command->add_option("--seed", options->seed, "of the shapes; the same seed draws the same ones");
}

} // namespace app
