// Implements 'gemmscope bench', which times stages and libraries.

#include "app/cli/counted.h"
#include "app/cli/job.h"
#include "app/data/fields_json.h"
#include "app/data/metrics.h"
#include "app/data/searches.h"
#include "app/data/speeds.h"
#include "app/engine/files.h"
#include "app/engine/measure.h"
#include "app/text/format.h"

#include "viz/analysis/comparison.h"

#include "gemm/element_type.h"
#include "gemm/size.h"
#include "measure/baseline.h"

#include <iterator>
#include <span>

namespace app {

namespace {

using kernels::Candidate;
using nlohmann::json;
using nlohmann::ordered_json;

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
Table table_of_search(const TuneRun& search)
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
    out.print(table_of_search(search));
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

using Row = TimedRow;

struct BenchOptions : JobOptions {
    double seconds = 1.0;   // time for the samples of each stage and library
    bool kernels = false;   // also trace which kernels cuBLAS launches
    std::size_t shapes = 0; // number of random shapes to use instead of given sizes; 0: none
    uint32_t seed = 1;      // seed of the random shapes
    bool energy = false;    // also measure the energy of a launch
};

void fields(OptionList& option, BenchOptions& options)
{
    option("stage", options.stages, "stages and baselines, see 'stages'; default: all");
    job_options(option, options);
    option("--seconds", options.seconds, "time for the samples of each stage", between(0.01, 600.0));
    option("--kernels", options.kernels, "of cuBLAS: which kernels it launches, as CUPTI traces them");
    option("--energy", options.energy, "of a launch, too: it takes a second or more");
    option("--shapes", options.shapes,
           "so many shapes drawn at random instead of sizes; default stages then: fastest wgmma_tma", between(1, 1000));
    option("--seed", options.seed, "of the shapes; the same seed draws the same ones");
}

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

// Returns whether every named stage and library ran with a right result. A library that was not named may be missing;
// its row says so.
bool succeeded(const std::vector<Row>& rows, const JobOptions& options)
{
    return std::ranges::all_of(rows, [&](const Row& row) {
        return row.missing.empty() ? row.right : std::ranges::find(options.stages, row.slug) == options.stages.end();
    });
}

// The metrics of a row, each with its name in the files for scripts. The last three concern the energy of a launch.
struct BenchColumn {
    const char* metric;
    const char* name;
};
constexpr BenchColumn bench_columns[] = {
    {"median_ms", "median_ms"}, {"spread", "spread"},   {"gflops", "gflops"},   {"over_naive", "over_naive"},
    {"of_cublas", "of_cublas"}, {"of_best", "of_best"}, {"of_peak", "of_peak"}, {"error_of_sums", "error"},
    {"error", "total_error"},   {"joules", "joules"},   {"watts", "watts"},     {"gflop_per_joule", "gflop_per_joule"}};

std::span<const BenchColumn> bench_columns_of(const BenchOptions& options)
{
    return std::span(bench_columns).first(options.energy ? std::size(bench_columns) : std::size(bench_columns) - 3);
}

Table bench_table(const BenchOptions& options)
{
    Table table("bench", "stage:< | size | type");
    for (const auto& [id, name] : bench_columns_of(options)) {
        table.columns.push_back(column_of(metric(id)));
        table.columns.back().id = name;
    }
    table.columns.push_back({"note", "", "<"});
    return table;
}

std::string note_of(const Row& row)
{
    if (!row.missing.empty() || !row.right)
        return row.missing.empty() ? "wrong result, so no speed" : "";
    std::string note;
    if (row.rows_timed > 0)
        note = fmt::format("{} rows timed, the rest reckoned", row.rows_timed);
    if (const std::string& missing = row.timing.energy.missing; !missing.empty())
        note += (note.empty() ? "" : "; ") + missing;
    return note;
}

// Returns the facts of a row, with the speed of naive if that was timed in the same run at this size.
LaunchFacts facts_of(const std::vector<Row>& rows, const Row& row)
{
    LaunchFacts facts{.timed = &row, .timed_from = {.problem = row.problem}};
    for (const Row& naive : rows)
        if (naive.slug == viz::first_rung && naive.problem == row.problem && !facts.naive_gflops)
            facts.naive_gflops = metric("gflops").of({.timed = &naive, .timed_from = facts.timed_from});
    return facts;
}

// Returns a row for bench_table().
json table_row(const std::vector<Row>& rows, const Row& row, const BenchOptions& options)
{
    const LaunchFacts facts = facts_of(rows, row);
    json result = {{"stage", row.slug}, {"size", size_name(row.problem, row.operation)}, {"note", note_of(row)}};
    result["type"] = row.type;
    for (const auto& [id, name] : bench_columns_of(options))
        result[name] = given(metric(id).of(facts).value());
    if (!row.missing.empty())
        result["missing"] = row.missing;
    return result;
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

// Traces the libraries. Runs after all timing, because tracing may slow a GPU down.
void trace(const std::vector<Library>& libraries, std::span<Row> rows, CommandWorker& engine)
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

// Returns a size so large that the time of the launch itself is negligible.
std::vector<std::string> large_size(kernels::Operation operation)
{
    return {std::string(kernels::facts(operation).large_size)};
}

// Chooses stages and baselines by name, or all of both if none is named.
Chosen choose(const std::vector<kernels::Stage>& ladder, const JobOptions& options)
{
    auto [stages, baselines] = named_in(ladder, options.stages);
    if (options.stages.empty())
        for (const kernels::Baseline& baseline : kernels::baselines())
            baselines.push_back(&baseline);
    Chosen result;
    JobOptions at_one = options;
    for (std::size_t i = 0; i < std::max(options.sizes.size(), std::size_t{1}); ++i) {
        if (!options.sizes.empty()) // one size after another, because benches of one problem share its matrices
            at_one.sizes = {options.sizes[i]};
        std::ranges::move(jobs_at_sizes(stages, at_one, large_size), std::back_inserter(result.jobs));
    }
    constexpr kernels::Operation gemm = kernels::Operation::gemm;
    for (const kernels::Baseline* baseline : baselines)
        for (const std::string& size : options.sizes.empty() ? large_size(gemm) : options.sizes)
            result.libraries.push_back({baseline, parse_size(size, options, gemm)});
    return result;
}

std::unique_ptr<CommandWorker> gpu_engine(const JobOptions& options)
{
    try {
        return std::make_unique<CommandWorker>(options.worker, "cuda");
    } catch (const kernels::Unavailable& missing) {
        throw kernels::Unavailable(fmt::format(
            "{} What this CPU makes of a product: gemmscope bench cpu_loop cpu_blas_one cpu_blas.", missing.what()));
    }
}

void draw_shapes(BenchOptions& options)
{
    if (options.shapes > 0 && !options.sizes.empty())
        throw kernels::Error("--shapes draws its own sizes; leave out --size.");
    if (options.shapes > 0 && options.stages.empty())
        options.stages = {"fastest", "wgmma_tma"};
    for (const recording::Problem& shape : kernels::random_shapes(options.shapes, options.seed))
        options.sizes.push_back(size_name(shape, kernels::Operation::gemm));
}

std::unique_ptr<CommandWorker> engine_for(const Chosen& chosen, const BenchOptions& options)
{
    const bool needs_gpu = !chosen.jobs.empty() || std::ranges::any_of(chosen.libraries, [](const Library& library) {
        return library.baseline->needs_gpu();
    });
    return options.backend == "cpu" || !needs_gpu ? std::make_unique<CommandWorker>(options.worker, "cpu")
                                                  : gpu_engine(options);
}

// Times everything and passes on each row as soon as it is timed.
std::vector<Row> time_all(const Chosen& chosen, const BenchOptions& options, CommandWorker& engine, const auto& add)
{
    const double energy_seconds = options.energy ? 1 : 0;
    std::vector<Row> rows;
    for (const kernels::Job& job : chosen.jobs)
        add(rows, row_of(job, engine.run(MeasureTask{.job = named(job),
                                                     .seconds = options.seconds,
                                                     .energy_seconds = energy_seconds,
                                                     .library_best = true})));
    for (const Library& library : chosen.libraries)
        add(rows, row_of(library, engine.run(BaselineTask{.baseline = std::string(library.baseline->slug),
                                                          .problem = library.problem,
                                                          .seconds = options.seconds,
                                                          .energy_seconds = energy_seconds})));
    return rows;
}

void print_summaries(const ordered_json& summaries, Output& out)
{
    Table table("summary",
                "stage:< | shapes | geometric_mean_of_cublas=geometric mean of cuBLAS:% | "
                "aligned_shapes=with rows of whole 16 bytes | aligned_geometric_mean_of_cublas=their mean:% | "
                "geometric_mean_of_best=of the fastest of its algorithms:% | wrong=wrong results");
    Table least("least", "stage:< | size=least:< | of_cublas=of cuBLAS:%");
    for (const ordered_json& summary : summaries) {
        table.rows.push_back(summary);
        if (summary.at("geometric_mean_of_best") == 0) // cuBLAS's algorithms were not timed
            table.rows.back()["geometric_mean_of_best"] = nullptr;
        for (const ordered_json& one : summary.at("least"))
            least.add({summary.at("stage"), one.at("size"), one.at("of_cublas")});
    }
    for (Table* const one : {&table, &least})
        if (!one->rows.empty()) {
            out.say("\n");
            out.print(std::move(*one));
        }
}

// Returns the rows for --json. Call it at the end, because naive may be timed after other stages, and libraries are
// traced last.
json rows_as_json(const std::vector<Row>& rows, const std::vector<kernels::Stage>& ladder)
{
    json all = json::array();
    for (const Row& row : rows) {
        all.push_back(to_json(row, ladder));
        all.back()["over_naive"] = given(metric("over_naive").of(facts_of(rows, row)).value());
    }
    return all;
}

int bench_stages(const BenchOptions& typed, Output& out)
{
    BenchOptions options = typed;
    draw_shapes(options);
    const std::vector<kernels::Stage> ladder = ladder_with_own();
    Chosen chosen = choose(ladder, options);
    const std::unique_ptr<CommandWorker> own = engine_for(chosen, options);
    CommandWorker& engine = *own;
    fit_to_device(chosen.jobs, options, engine.device());
    prepare(chosen.jobs, engine);
    out.say("{}; random inputs; median of interleaved runs, spread: middle half\n"
            "error of the sums: against float64 of what the kernel gets; error of C: with what rounding A and B to the "
            "type costs\n"
            "of its best: of the fastest of all of cuBLAS's algorithms\n",
            engine.device().name);
    out.begin(bench_table(options));
    std::vector<Row> rows = time_all(chosen, options, engine, [&](std::vector<Row>& done, Row row) {
        done.push_back(std::move(row));
        out.add(table_row(done, done.back(), options));
    });
    const std::span libraries = std::span(rows).subspan(chosen.jobs.size());
    if (options.kernels)
        trace(chosen.libraries, libraries, engine);
    for (const Row& row : libraries)
        print_kernels(out, row);
    const json all = rows_as_json(rows, ladder);
    if (options.shapes == 0) {
        out.end(all);
    } else {
        const ordered_json summary = shape_summaries(rows);
        print_summaries(summary, out);
        out.end(ordered_json{{"seed", options.seed}, {"summary", summary}, {"rows", all}});
    }
    return succeeded(rows, options) ? 0 : 1;
}

} // namespace

const Subcommand tune_command = {"tune", "search for the fastest parameters (needs an NVIDIA GPU)",
                                 declare<tune_stage>};
const Subcommand bench_command = {"bench", "time stages beside cuBLAS, and libraries and CPU loops",
                                  declare<bench_stages>};

} // namespace app
