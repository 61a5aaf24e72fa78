// Implements 'gemmscope counters': a GPU's counters of stages and libraries, and the shipped table of the whole ladder.
#include "app/data/counters.h"
#include "app/cli/counted.h"
#include "app/cli/job.h"
#include "app/data/recordings.h"
#include "app/engine/record.h"
#include "app/session/counter_table.h"
#include "app/text/format.h"

#include "machine_code/machine_code.h"
#include "measure/counter_check.h"
#include "measure/readings.h"
#include "model/recorded_copy.h"
#include "stage.h"

#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <cstdio>
#include <iterator>

namespace app {

namespace {

using nlohmann::json;

struct CounterOptions : JobOptions {
    // Prints one line for each stage. The exit status is 1 if derived and counted figures differ.
    bool check = false;
    bool per_instruction = false;    // count each machine instruction too
    bool no_samples = false;         // do not sample stall reasons
    bool only_counted = false;       // only the counters: following machine code takes minutes at large sizes
    bool table = false;              // show the shipped counters of the whole ladder instead; the options below apply
    std::string columns = "profile"; // "profile", "all", or comma-separated ids of metrics
    std::string sort, filter;        // sort: id, descending with a leading minus; filter: part of a name
};

void fields(OptionList& option, CounterOptions& options)
{
    option("stage", options.stages, "stages, libraries; with --check, default: all stages");
    job_options(option, options);
    option("--check", options.check, "compare what is derived with what is counted");
    option("--per-instruction", options.per_instruction, "count each machine instruction too, and what warps wait for");
    option("--no-samples", options.no_samples, "not what warps wait for, which --check leaves out too");
    option("--only-counted", options.only_counted, "the counters alone, beside which nothing is derived",
           excludes("--check"));
    CLI::Option& table =
        option("--table", options.table,
               "what was counted of the whole ladder on the GPU of the shipped recordings, and of which size");
    option("--columns", options.columns, "profile (six of a memory profile), all, or names between commas",
           needs(table));
    option("--sort", options.sort, "by this column; -NAME: the largest first", needs(table));
    option("--filter", options.filter, "rows in whose name or type this is", needs(table));
}

struct CountedStage {
    kernels::Job job;
    RecordingPtr recording; // null if only counters were requested
    CountResult result;
    const CountedLaunch& launch() const { return *result.launch; }
    const kernels::Counters& counters() const { return *launch().counters; }
    bool compared() const { return !launch().check.figures.empty(); }
    bool ok() const { return launch().ok() && (!result.instructions || result.instructions->ok()); }
};

CountedStage count_stage(const kernels::Job& job, const CounterOptions& options, CommandWorker& engine)
{
    CountedStage counted{.job = job, .recording = nullptr, .result = {}};
    if (!options.only_counted)
        counted.recording = engine.run(RecordTask{named(job), {{0, 0, 0}}}).recorded.recording;
    const auto ask = [&](bool launch, bool instructions) {
        return engine.run(CountTask{.job = named(job),
                                    .recording = counted.recording,
                                    .launch = launch,
                                    .instructions = instructions,
                                    .shipped = {}});
    };
    const bool sampled = options.per_instruction && !options.check && !options.no_samples;
    if (sampled) // counts instructions separately, with samples
        counted.result = ask(false, true);
    CountResult launch = ask(true, options.per_instruction && !sampled);
    if (sampled)
        counted.result.launch = std::move(launch.launch);
    else
        counted.result = std::move(launch);
    if (!counted.launch().counters)
        throw kernels::Unavailable(viz::plain(viz::in_sentences(counted.launch().missing)));
    return counted;
}

// Returns the wavefronts of the writes of asynchronous copies, which no compared figure includes. A null member means
// that they are unknown.
json copy_wavefronts(const CountedStage& counted)
{
    json result = {{"as_written", nullptr}, {"as_executed", given(counted.launch().copy_wavefronts)}};
    if (counted.recording != nullptr)
        if (const auto written = model::copy_writes(*counted.recording))
            result["as_written"] = written->wavefronts;
    return result;
}

json to_json(const CountedStage& counted)
{
    json figures = json::array();
    for (const kernels::CheckedFigure& row : counted.launch().check.figures)
        figures.push_back({{"group", row.group},
                           {"figure", row.figure},
                           {"as_written", row.written},
                           {"as_executed", given(row.executed)},
                           {"counter", given(row.counted)},
                           {"agrees", kernels::agrees(row.agreement)},
                           {"why", kernels::words(row.agreement)}});
    json result = app::to_json({.slug = std::string(counted.job.stage->slug),
                                .parameters = counted.job.parameters,
                                .problem = counted.job.problem,
                                .counters = counted.counters(),
                                .readings = counted.launch().readings,
                                .date = {},
                                .each = {},
                                .run = counted.result.instructions ? counted.result.instructions->run : nullptr},
                               *counted.job.stage);
    result.update({{"why_not_executed", counted.launch().not_executed},
                   {"origins",
                    {{"as_written", "recorded: the instrumented kernel's accesses, as its source says them"},
                     {"as_executed", "derived: the machine code followed, without a GPU"},
                     {"copy_write_wavefronts", "derived: no counter that is read here has them"},
                     {"counter", "counter: of " + counted.counters().device.name + ", the untraced kernel"},
                     {"only_counted", "counter: of " + counted.counters().device.name + ", from a cold L2 cache"},
                     {"counters", "counter: of " + counted.counters().device.name + ", from a cold L2 cache"},
                     {"registers_per_thread", "as the driver reports them"}}},
                   {"ok", counted.compared() ? json(counted.ok()) : json(nullptr)}, // null: nothing is compared
                   {"compared", figures},
                   {"copy_write_wavefronts", copy_wavefronts(counted)},
                   {"only_counted", only_counted(counted.counters())}});
    if (counted.result.instructions)
        result["per_instruction"] = app::to_json(*counted.result.instructions, counted.result.code);
    return result;
}

std::string count_text(const std::optional<uint64_t>& value)
{
    return value ? fmt::format("{}", *value) : "-";
}

// Returns those rows of "compared" in --json that are not all zero.
Table compared(const json& rows)
{
    Table table("compared", "name=:< | as_written | as_executed | counter | why=:<");
    table.derive("name", [](const json& row) {
        return row.at("group").get<std::string>() + " " + row.at("figure").get<std::string>();
    });
    std::ranges::copy_if(rows, std::back_inserter(table.rows),
                         [](const json& row) { return row.at("as_written") != 0 || row.at("counter") != 0; });
    return table;
}

void print(const CountedStage& counted, const json& row, const Output& out)
{
    const kernels::Counters& counters = counted.counters();
    out.say("{} at {} on {}: ran {} times to be counted, each time from a cold L2 cache\n", counted.job.stage->slug,
            size_name(counted.job.problem, counted.job.stage->operation), counters.device.name, counters.passes);
    out.say("{}", text_of(compared(row.at("compared"))));
    if (!counted.launch().not_executed.empty())
        out.say("as executed: {}\n", counted.launch().not_executed);
    out.say("{}", text_of(table_of(counters)));
    if (counted.result.instructions)
        print(*counted.result.instructions, counted.result.code, out);
}

void print_check(const CountedStage& counted, const Output& out)
{
    std::string differing;
    for (const kernels::CheckedFigure& row : counted.launch().check.figures)
        if (row.agreement != kernels::Agreement::equal && row.agreement != kernels::Agreement::opaque)
            differing += fmt::format("; {} {}: as written {}, as executed {}, counted {} ({})", row.group, row.figure,
                                     row.written, count_text(row.executed), count_text(row.counted),
                                     kernels::words(row.agreement));
    if (counted.result.instructions)
        differing += "; " + in_one_line(*counted.result.instructions);
    if (const std::string words = kernels::readings_words(counted.launch().readings, counted.launch().check.ok());
        !words.empty())
        differing += "; " + words;
    out.say("{}  {:<26}{:>12}  {}\n", counted.ok() ? "ok  " : "FAIL", counted.job.stage->slug,
            size_name(counted.job.problem, counted.job.stage->operation),
            differing.empty() ? "all equal" : differing.substr(2));
}

NamedOnes chosen(const std::vector<kernels::Stage>& ladder, const CounterOptions& options)
{
    if (options.stages.empty() && !options.check)
        throw kernels::Error(
            "Name a stage or a library to count ('gemmscope stages' lists them), or give --check for all stages.");
    NamedOnes named = named_in(ladder, options.stages);
    if (options.check && !named.libraries.empty())
        throw kernels::Error(fmt::format("Nothing is derived of {}, so there is nothing to check; leave out --check.",
                                         named.libraries.front()->slug));
    return named;
}

// Returns the CSV table, with a row for each stage and library.
Table one_row_each(std::vector<json> rows)
{
    Table table("counters", "stage | size | ok", std::move(rows));
    std::ranges::move(only_counted_columns(), std::back_inserter(table.columns));
    return table;
}

// Counts stages and compares the counters with the recordings.
int count_stages(const CounterOptions& options, Output& out)
{
    const std::vector<kernels::Stage> ladder = ladder_with_own();
    const NamedOnes named = chosen(ladder, options);
    CommandWorker engine(options.worker, options.backend.value_or("cuda"));
    std::vector<kernels::Job> jobs = jobs_at_sizes(named.stages, options, [](kernels::Operation operation) {
        return std::vector{std::string(kernels::facts(operation).small_size)};
    });
    fit_to_device(jobs, options, engine.device());
    if (!jobs.empty())
        prepare(jobs, engine, true);
    std::size_t failed = 0;
    std::vector<json> rows;
    for (const kernels::Job& job : jobs) {
        // Uses a separate worker for each further stage. After CUPTI's range profiler has counted in a process, CUPTI's
        // SASS metrics miss all instructions that run later in that process (H200 and H100, CUDA 13.0).
        std::optional<CommandWorker> own;
        if (options.per_instruction && &job != &jobs.front())
            own.emplace(options.worker, options.backend.value_or("cuda"));
        const CountedStage counted = count_stage(job, options, own ? *own : engine);
        failed += !counted.ok();
        rows.push_back(to_json(counted));
        if (options.check)
            print_check(counted, out);
        else
            print(counted, rows.back(), out);
        std::fflush(stdout); // each row takes a while
    }
    for (const kernels::Baseline* library : named.libraries)
        for (const std::string& size : options.sizes.empty() ? std::vector<std::string>{"1024"} : options.sizes) {
            const LibraryCall counted =
                count_library(*library, parse_size(size, options, kernels::Operation::gemm), engine);
            rows.push_back(to_json(counted));
            print(counted, out);
            std::fflush(stdout);
        }
    if (!out.is_text())
        out.print(one_row_each(std::move(rows)));
    if (!options.check)
        return 0;
    return out.verdict(jobs.size() - failed, jobs.size(), "agree with the counters of " + engine.device().name);
}

constexpr uint32_t largest_table_side = 1u << 20;

std::vector<std::size_t> table_columns_of(const std::string& text)
{
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < counter_columns().size(); ++i)
        if (text == "all" || (text == "profile" && counter_columns()[i].of_profile >= 0))
            result.push_back(i);
    if (!result.empty())
        return result;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        result.push_back(counter_column(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return result;
}

// Returns the requested sizes, otherwise the larger ones of the counted sizes.
std::vector<uint32_t> sides_of(const std::vector<std::string>& sizes, const std::vector<uint32_t>& counted)
{
    std::vector<uint32_t> wanted;
    for (const std::string& size : sizes) {
        const recording::Problem extent = parse_extent(size, largest_table_side);
        if (std::ranges::find(counted, extent.M) == counted.end() || extent.N != extent.M || extent.K != extent.M)
            throw kernels::Error(
                fmt::format("Nothing was counted at {}; the sizes are {}.", size, fmt::join(counted, ", ")));
        wanted.push_back(extent.M);
    }
    if (wanted.empty())
        std::ranges::copy_if(counted, std::back_inserter(wanted), [](uint32_t side) { return side >= 1024; });
    return wanted;
}

int show_counter_table(const CounterOptions& options, Output& out)
{
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    const CataloguePtr catalogue = load_catalogue(shipped_folder(), ladder);
    const std::vector<uint32_t> sides = counted_sides(*catalogue, ladder);
    if (sides.empty())
        throw kernels::Error(fmt::format("There is no table of counters. {}",
                                         viz::plain(viz::in_sentences(catalogue->counters.missing))));
    const std::vector<uint32_t> wanted = sides_of(options.sizes, sides);
    const std::vector<std::size_t> columns = table_columns_of(options.columns);
    const bool descending = options.sort.starts_with('-');
    Table all;
    for (const uint32_t side : wanted) {
        CounterTable counted = counter_table(*catalogue, ladder, side);
        counted.rows = filtered(std::move(counted.rows), options.filter);
        if (!options.sort.empty())
            sort_rows(counted.rows, counter_column(options.sort.substr(descending ? 1 : 0)), descending);
        Table table = table_of(counted, columns);
        out.say("{}\n{}", size_text(counted.problem, kernels::Operation::gemm), text_of(table));
        all.columns = table.columns;
        std::ranges::move(table.rows, std::back_inserter(all.rows));
    }
    if (!out.is_text())
        out.print(std::move(all));
    return 0;
}

int count_or_show(const CounterOptions& options, Output& out)
{
    return options.table ? show_counter_table(options, out) : count_stages(options, out);
}

} // namespace

const Subcommand counters_command = {"counters", "what an NVIDIA GPU itself counts of a stage or of cuBLAS",
                                     declare<count_or_show>};

} // namespace app
