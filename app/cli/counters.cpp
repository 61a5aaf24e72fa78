#include "app/catalogue/counters.h"
#include "app/cli/commands.h"
#include "app/cli/counted_instructions.h"
#include "app/cli/own_stages.h"
#include "app/tasks/prepare.h"
#include "app/tasks/record.h"

#include "job.h"
#include "machine_code/machine_code.h"
#include "measure/counter_check.h"
#include "measure/readings.h"
#include "model/recorded_copy.h"

#include "viz/text/known.h"
#include "viz/text/templates.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <utility>

namespace app {

namespace {

using nlohmann::json;

struct CountedStage {
    kernels::Job job;
    RecordingPtr recording; // null where only counters were asked for
    CountResult result;
    const CountedLaunch& launch() const { return *result.launch; }
    const kernels::Counters& counters() const { return *launch().counters; }
    bool compared() const { return !launch().check.figures.empty(); }
    bool ok() const { return launch().ok() && (!result.instructions || result.instructions->ok()); }
};

CountedStage count(const kernels::Job& job, const CountOptions& options, Engine& engine)
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
    if (sampled) // instructions alone: with samples
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

template <class T>
json or_null(const std::optional<T>& value)
{
    return value ? json(*value) : json(nullptr);
}

json to_json(const kernels::CounterFigures& f)
{
    return {{"arbitration", or_null(f.arbitration)},
            {"async_copies", or_null(f.async_copies)},
            {"shared_load_hardware_wavefronts", or_null(f.shared_load.hardware_wavefronts)},
            {"shared_store_hardware_wavefronts", or_null(f.shared_store.hardware_wavefronts)},
            {"l1_hit_rate", or_null(f.l1_hit_rate)},
            {"l2_hit_rate", or_null(f.l2_hit_rate)},
            {"dram_read_bytes", or_null(f.dram_read_bytes)},
            {"dram_write_bytes", or_null(f.dram_write_bytes)},
            {"achieved_occupancy", or_null(f.occupancy)},
            {"issued_warp_instructions", or_null(f.issued)},
            {"executed_warp_instructions", or_null(f.executed)},
            {"ipc", or_null(f.ipc)},
            {"time_ns", or_null(f.time_ns)}};
}

// Of the writes of asynchronous copies, which are in none of the figures compared. Null: not known.
json copy_wavefronts(const CountedStage& counted)
{
    json result = {{"as_written", nullptr}, {"as_executed", or_null(counted.launch().copy_wavefronts)}};
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
                           {"as_executed", or_null(row.executed)},
                           {"counter", or_null(row.counted)},
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
                   {"only_counted", to_json(kernels::figures(counted.counters()))}});
    if (counted.result.instructions)
        result["per_instruction"] = app::to_json(*counted.result.instructions, counted.result.code);
    return result;
}

std::string text(const std::optional<uint64_t>& value)
{
    return value ? fmt::format("{}", *value) : "-";
}

void print_value(std::string_view name, const std::optional<uint64_t>& value)
{
    fmt::print("  {:<54}{:>16}\n", name, text(value));
}

void print_share(std::string_view name, const std::optional<double>& value)
{
    fmt::print("  {:<54}{:>16}\n", name, value ? fmt::format("{:.1f} %", 100 * *value) : "-");
}

void print(const CountedStage& counted)
{
    const kernels::Counters& counters = counted.counters();
    fmt::print("{} at {} on {}: ran {} times to be counted, each time from a cold L2 cache\n", counted.job.stage->slug,
               size_name(counted.job.problem, counted.job.stage->operation), counters.device.name, counters.passes);
    fmt::print("  {:<26}{:>14}{:>14}{:>16}\n", "", "as written", "as executed", "counter");
    for (const kernels::CheckedFigure& row : counted.launch().check.figures)
        if (row.written != 0 || row.counted != 0)
            fmt::print("  {:<26}{:>14}{:>14}{:>16}  {}\n", fmt::format("{} {}", row.group, row.figure), row.written,
                       text(row.executed), text(row.counted), kernels::words(row.agreement));
    if (!counted.launch().not_executed.empty())
        fmt::print("  as executed: {}\n", counted.launch().not_executed);
    const kernels::CounterFigures f = kernels::figures(counters);
    print_value("bank conflicts by arbitration", f.arbitration);
    print_value("cp.async instructions", f.async_copies);
    print_share("L1 hit rate", f.l1_hit_rate);
    print_share("L2 hit rate", f.l2_hit_rate);
    print_value("bytes read from DRAM", f.dram_read_bytes);
    print_value("bytes written to DRAM", f.dram_write_bytes);
    print_share("achieved occupancy", f.occupancy);
    print_value("warp instructions issued", f.issued);
    print_value("warp instructions executed, of the launch", f.executed);
    fmt::print("  {:<54}{:>16}\n", "issued per cycle of an active SM", f.ipc ? fmt::format("{:.2f}", *f.ipc) : "-");
    print_value("nanoseconds, while being counted", f.time_ns);
    fmt::print("  {:<54}{:>16}\n", "registers per thread", counters.resources.registers_per_thread);
    if (counted.result.instructions)
        print(*counted.result.instructions, counted.result.code);
}

void print_line(const CountedStage& counted)
{
    std::string differing;
    for (const kernels::CheckedFigure& row : counted.launch().check.figures)
        if (row.agreement != kernels::Agreement::equal && row.agreement != kernels::Agreement::opaque)
            differing += fmt::format("; {} {}: as written {}, as executed {}, counted {} ({})", row.group, row.figure,
                                     row.written, text(row.executed), text(row.counted), kernels::words(row.agreement));
    if (counted.result.instructions)
        differing += "; " + in_one_line(*counted.result.instructions);
    if (const std::string words = kernels::readings_words(counted.launch().readings, counted.launch().check.ok());
        !words.empty())
        differing += "; " + words;
    fmt::print("{}  {:<26}{:>12}  {}\n", counted.ok() ? "ok  " : "FAIL", counted.job.stage->slug,
               size_name(counted.job.problem, counted.job.stage->operation),
               differing.empty() ? "all equal" : differing.substr(2));
}

} // namespace

int count_stages(const JobOptions& options, const CountOptions& what)
{
    if (options.stages.empty() && !what.check)
        throw kernels::Error("Name a stage to count ('gemmscope stages' lists them), or give --check for all of them.");
    const std::vector<kernels::Stage> ladder = ladder_with_own();
    Engine engine(options.worker, options.backend.value_or("cuda"));
    std::vector<kernels::Job> jobs;
    for (const kernels::Stage* stage : chosen_stages(ladder, options.stages)) {
        const std::string small(kernels::facts(stage->operation).small_size);
        for (const std::string& size : options.sizes.empty() ? std::vector{small} : options.sizes)
            jobs.push_back(make_job(*stage, options, parse_size(size, options, stage->operation)));
    }
    leave_out_missing(jobs, options, engine.device());
    use_tuned(jobs, options, engine.device());
    engine.run(PrepareTask{all_named(jobs), true});
    std::size_t failed = 0;
    json rows = json::array();
    for (const kernels::Job& job : jobs) {
        const CountedStage counted = count(job, what, engine);
        failed += !counted.ok();
        if (options.json)
            rows.push_back(to_json(counted));
        else if (what.check)
            print_line(counted);
        else
            print(counted);
        std::fflush(stdout); // each takes a while
    }
    if (options.json)
        fmt::print("{}\n", rows.dump(2));
    else if (what.check)
        fmt::print("{} of {} agree with the counters of {}\n", jobs.size() - failed, jobs.size(), engine.device().name);
    return what.check && failed > 0 ? 1 : 0;
}

} // namespace app
