#include "app/engine/machine.h"
#include "app/cli/command.h"
#include "app/cli/job.h"
#include "app/data/gpu.h"
#include "app/data/recordings.h"
#include "app/engine/files.h"
#include "app/engine/probe.h"
#include "app/platform/offscreen.h"
#include "app/text/version.h"

#include "viz/analysis/warp_times.h"
#include "viz/text/figures.h"

#include "machine_code/machine_code.h"
#include "model/pattern_file.h"

#include <epoxy/gl.h>
#include <fmt/format.h>
#include <link.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <ranges>
#include <set>

namespace app {

// Describes this machine: 'gemmscope info' without a recording, and 'gemmscope --version'.

namespace {

using nlohmann::json;

void print(const recording::GpuProperties& gpu, const Output& out)
{
    const auto bytes = [](uint64_t count) { return viz::bytes_words(static_cast<double>(count)); };
    out.say("{} ({})\n", gpu.name, gpu.toolkit);
    out.say("sm_{}, {} SMs at up to {:.0f} MHz: FP32 peak {:.1f} TFLOPS\n", gpu.compute_capability, gpu.sm_count,
            gpu.clock_khz * 1e-3, gpu.fp32_gflops * 1e-3);
    out.say("per SM: {} registers, {} of shared memory (a block at most {}), {} threads, {} blocks\n",
            gpu.registers_per_sm, bytes(gpu.shared_bytes_per_sm), bytes(gpu.shared_bytes_per_block), gpu.threads_per_sm,
            gpu.blocks_per_sm);
    out.say("L2 {}, memory {}{}\n", bytes(gpu.l2_bytes), bytes(gpu.memory_bytes),
            gpu.memory_gbps() > 0 ? fmt::format(" at up to {:.0f} GB/s", gpu.memory_gbps()) : "");
}

// Returns a table of a list of measurements. Memories without a size to vary come first.
Table table_of(const json& measured, const char* list, const char* columns,
               std::vector<std::pair<const char*, const char*>> memories = {})
{
    Table table(list, columns);
    for (const auto& [member, name] : memories)
        if (const json memory = measured.value(member, json()); memory.is_object()) {
            table.rows.push_back(memory);
            table.rows.back()["bytes"] = name;
        }
    for (const json& one : measured.value(list, json::array()))
        table.rows.push_back(one);
    return table;
}

json chain_words(const json& row)
{
    constexpr std::array<const char*, recording::longest_chain> names = {"load", "load, load", "load, load, add",
                                                                         "load, load, add, store"};
    return std::string(names.at(row.at("instructions").get<std::size_t>() - 1)) +
           (row.at("at_once").get<bool>() ? ", both loads at once" : "");
}

json peak_words(const json& row)
{
    return row.at("type").get<std::string>() + " " + row.at("instruction").get<std::string>();
}

std::vector<Table> tables_of(const json& measured)
{
    std::vector<Table> tables = {
        table_of(measured, "latency", "bytes=walked through:bytes | ns=ns a load:{:.1f} | cycles:{:.1f}",
                 {{"shared_latency", "shared memory"}}),
        table_of(measured, "conflict_latency", "ways=bank conflict:{}-way | ns=ns a load:{:.1f} | cycles:{:.1f}"),
        table_of(measured, "bandwidth", "bytes=read:bytes | gbps=GB/s:{:.0f}",
                 {{"shared_bandwidth", "shared memory"}, {"l1_bandwidth", "L1"}}),
        table_of(measured, "streaming", "warps_per_sm=warps per SM | width=bytes a load | gbps=GB/s:{:.0f}"),
        table_of(measured, "chains",
                 "bytes=walked through:bytes | ns:{:.1f} | cycles:{:.1f} | "
                 "chain=each waits for the one before it, or the add for both loads:<"),
        table_of(measured, "peaks", "arithmetic | gflops=GFLOPS:{:.0f}")};
    tables[4].derive("chain", chain_words);
    tables[5].derive("arithmetic", peak_words);
    return tables;
}

// Prints for example "SMs that run clusters together: 8 groups of 16, 16, ... SMs".
void print_groups(const std::vector<uint32_t>& group_of_sm, const Output& out)
{
    if (group_of_sm.empty())
        return;
    std::map<uint32_t, int> sizes;
    for (const uint32_t group : group_of_sm)
        ++sizes[group];
    const int alone = sizes.contains(recording::no_group) ? sizes.extract(recording::no_group).mapped() : 0;
    out.say("\nSMs that run clusters together: {} groups of {} SMs{}\n", sizes.size(),
            fmt::join(sizes | std::views::values, ", "),
            alone > 0 ? fmt::format("; no cluster came to {} SMs", alone) : "");
}

void print(const recording::GpuMeasurement& measured, const json& in_json, Output& out)
{
    out.say("measured at {}\n", measured.measured_at);
    for (Table& table : tables_of(in_json))
        if (!table.rows.empty()) {
            out.say("\n");
            out.print(std::move(table));
        }
    print_groups(measured.group_of_sm, out);
}

// Prints to standard error, so that standard output contains only the result.
void show_step(const Progress& progress)
{
    tell_progress("{} of {} · {:40}", progress.done + 1, progress.steps, progress.step);
}

std::string opengl()
{
    const auto text = [](GLenum name) {
        const auto* bytes = glGetString(name);
        return bytes == nullptr ? std::string("unknown") : std::string(reinterpret_cast<const char*>(bytes));
    };
    try {
        const Offscreen offscreen;
        return fmt::format("{}, {}; {}", text(GL_VERSION), text(GL_RENDERER),
                           offscreen.window() == nullptr ? "by EGL, without a display" : "in a hidden window");
    } catch (const std::exception& error) {
        return fmt::format("none: {}", error.what());
    }
}

// Compiles a kernel for the available GPU, or for Hopper, to check that NVRTC works.
std::string compiler(const std::vector<kernels::Stage>& ladder, const Machine& machine)
{
    const uint32_t capability = machine.gpu() ? machine.device->compute_capability : 90;
    try {
        const kernels::Stage& stage = ladder.front();
        const kernels::MachineCode code = kernels::machine_code(stage, stage.standard_parameters(), capability);
        return fmt::format("{}, {}", code.compiler, code.disassembler.empty() ? "no disassembler" : code.disassembler);
    } catch (const std::exception& error) {
        return fmt::format("none: {}", error.what());
    }
}

bool is_told(const std::string& name)
{
    for (const char* part : {"libcuda", "libnvrtc", "libcublas", "libcupti", "libnvperf", "blas", "libEGL", "libGL",
                             "libOpenGL", "libnvidia", "libglfw", "_dri"})
        if (name.find(part) != std::string::npos)
            return true;
    return false;
}

int collect(dl_phdr_info* info, std::size_t, void* into)
{
    std::error_code unknown;
    const std::filesystem::path path = info->dlpi_name;
    if (is_told(path.filename().string()))
        static_cast<std::set<std::string>*>(into)->insert(std::filesystem::weakly_canonical(path, unknown).string());
    return 0;
}

} // namespace

int show_gpu(const WorkerChoice& worker, bool measured, Output& out)
{
    const Interrupt interrupt;
    CommandWorker engine(worker, "cuda", interrupt.token());
    if (!engine.machine().properties)
        throw kernels::Unavailable("The driver does not say what this GPU is made of.");
    GpuFacts facts{*engine.machine().properties, {}};
    ProbeResult probed{.whole = true};
    if (measured) {
        probed = engine.run(ProbeTask(), show_step);
        for (const ProbeResult::Failed& failed : probed.failed)
            tell("gemmscope: {}: {}\n", failed.step, failed.why);
        facts.measured = probed.measured;
        if (const std::filesystem::path kept = measured_gpu_path(facts.properties.name); probed.whole && !kept.empty())
            SaveTask{kept, facts}.write();
    }
    const json whole = to_json(facts);
    print(facts.properties, out);
    if (facts.measured)
        print(*facts.measured, whole.at("measured"), out);
    else if (!out.is_text())
        out.print(table_of_members("gpu", json::array({whole.at("gpu")})));
    out.end(whole, 1);
    return probed.whole ? 0 : 1;
}

int show_version()
{
    const std::vector<kernels::Stage> ladder = ladder_with_own();
    const Machine machine = open_machine({}, {});
    Table table("version", "what=:< | value=:<");
    table.add({"gemmscope", program_version()});
    table.add({"program", std::filesystem::weakly_canonical("/proc/self/exe").string()});
    table.add({"built with", fmt::format("compiler {}, C library {}.{}", __VERSION__, __GLIBC__, __GLIBC_MINOR__)});
    table.add({"GPU", machine.gpu() ? fmt::format("{}, sm_{}, {}", machine.device->name,
                                                  machine.device->compute_capability, machine.device->toolkit)
                                    : "none: " + machine.why_no_gpu});
    for (const kernels::ListedGpu& gpu : machine.gpus)
        table.add({fmt::format("--gpu {}", gpu.number), fmt::format("{}, {}", gpu.name, gpu.uuid)});
    if (machine.device && !machine.gpu())
        table.add({"CPU", machine.device->name});
    table.add({"compiler", compiler(ladder, machine)});
    table.add({"OpenGL", opengl()});
    table.add({"recordings", shipped_folder().string()});
    std::set<std::string> loaded;
    dl_iterate_phdr(collect, &loaded);
    for (const std::string& path : loaded)
        table.add({"loaded", path});
    write_out("{}", text_of(table));
    return 0;
}

namespace {

struct WarpsOptions : JobOptions {
    kernels::WatchedWarps watched;
};

void fields(OptionList& option, WarpsOptions& options)
{
    stage_option(option, options).required();
    shape_options(option, options);
    option("--resident-warps", options.watched.resident,
           "at most so many on an SM at once: each block asks for more shared memory; default: as many as fit",
           between(1, 64));
    option("--extra-shared", options.watched.extra_shared, "or so many bytes more for each block", typed("BYTES"),
           excludes("--resident-warps"));
    option("--sm", options.watched.sm, "whose warps are watched, default 0");
    worker_options(option, options.worker);
}

double part(uint64_t cycles, const viz::SchedulerTime& of)
{
    const uint64_t all = of.span() - of.empty;
    return all == 0 ? 0 : static_cast<double>(cycles) / static_cast<double>(all);
}

Table schedulers_of(const viz::SmOverTime& picture)
{
    Table table("schedulers", "scheduler | slots | running=a warp runs:% | memory=all wait: memory:% | "
                              "barrier=all wait: barrier:% | probe=the probe:%");
    for (std::size_t i = 0; i < picture.schedulers.size(); ++i) {
        const viz::SchedulerTime& time = picture.schedulers[i];
        table.add({i, picture.rows[i].size(), part(time.running, time), part(time.memory, time),
                   part(time.barrier, time), part(time.probe, time)});
    }
    return table;
}

void print(const recording::WarpTimes& times, const kernels::Stage& stage, const std::string& device, Output& out)
{
    const recording::WarpTimes* const one = &times;
    const viz::SmOverTime picture = viz::sm_over_time(times, viz::least_of_ops(std::span(&one, 1)));
    out.say("{} at {} on SM {} of {}: {} warps of {} blocks, at most {} at once, in {} cycles\n", times.stage,
            size_name(times.problem, stage.operation), times.sm, device, times.warps.size(), picture.blocks,
            picture.most_at_once, viz::thousands(picture.span));
    if (times.extra_shared > 0)
        out.say("each block asked for {} bytes of shared memory beyond its own\n",
                viz::thousands(uint64_t{times.extra_shared}));
    out.say("the launch takes {:.4f} ms without the probe and {:.4f} ms with it: {:.2f} times as long; registers {} "
            "and {}, blocks that fit an SM {} and {}\n\n",
            times.plain_ms, times.probed_ms, times.slowdown(), times.plain.registers_per_thread,
            times.probed.registers_per_thread, times.plain.blocks_per_sm, times.probed.blocks_per_sm);
    out.print(schedulers_of(picture));
    out.say("of all four: a warp runs in {} of the cycles, all wait in {}\n", viz::percent(picture.running_share()),
            viz::percent(picture.stalled_share()));
}

int show_warps(const WarpsOptions& options, Output& out)
{
    OneJob one(options, "cuda", "Warps are watched at one size; give one --size.");
    const WarpsResult result = one.engine.run(WarpsTask{named(one.job), options.watched});
    print(result.times, one.stage(), one.engine.device().name, out);
    out.end(app::to_json(result.times, one.stage()), -1);
    return 0;
}

constexpr std::size_t rows_at_once = 1024;

nlohmann::json to_json(const model::PatternRow& row, const model::TwoFigures& had, const char* measured)
{
    nlohmann::json result = {
        {"line", row.line}, {"op", row.op}, {"width", row.pattern.width},
        {"a", had.a},       {"b", had.b},   {"origin", "derived: by the rules measured on an H200"}};
    if (row.measured)
        result["measured"] = {{"a", row.measured->a}, {"b", row.measured->b}, {"origin", measured}};
    return result;
}

constexpr const char* pattern_columns =
    "line | op:< | width=bytes | a | b | measured.a=measured a | measured.b=measured b";

struct ModelOptions {
    std::filesystem::path file;
    bool check = false, measure = false;
    WorkerChoice worker;
};

void fields(OptionList& option, ModelOptions& options)
{
    option("file", options.file, "patterns as CSV", required);
    option("--check", options.check, "compare with the columns a and b");
    option("--measure", options.measure, "have the GPU count them, and print the file with what it counted",
           excludes("--check"));
    worker_options(option, options.worker);
}

// Evaluates the model on the patterns. `check` prints only rows that differ from the file.
int evaluate(const ModelOptions& options, Output& out)
{
    const bool check = options.check;
    std::size_t measured = 0, equal = 0;
    Table table("patterns", pattern_columns);
    for (const model::PatternRow& row : model::read_patterns(options.file)) {
        const model::TwoFigures had = model::evaluate(row);
        measured += row.measured.has_value();
        equal += row.measured == had;
        if (!check || (row.measured && row.measured != had))
            table.rows.push_back(to_json(row, had, "counter: as the file has it"));
    }
    if (check && measured == 0)
        throw kernels::Error(
            fmt::format("No row of {} has figures in its columns a and b to compare with.", options.file.string()));
    const nlohmann::json rows = table.rows;
    out.print(std::move(table));
    const int status = check ? out.verdict(equal, measured) : 0;
    out.end(check ? nlohmann::json{{"equal", equal},
                                   {"rows", measured},
                                   {"differences", rows},
                                   {"origin", "the rules measured on an H200, beside what the file has"}}
                  : rows);
    return status;
}

// Measures the same rows on the worker's GPU. Text output is the file with the measurements, line by line, so that an
// interruption keeps what was measured.
int measure(const ModelOptions& options, Output& out)
{
    const std::vector<model::PatternRow> rows = model::read_patterns(options.file);
    const Interrupt interrupt;
    CommandWorker engine(options.worker, "cuda", interrupt.token());
    out.say("{}\n", model::pattern_header());
    Table table("patterns", pattern_columns);
    for (std::size_t first = 0; first < rows.size(); first += rows_at_once) {
        const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(first + rows_at_once, rows.size()));
        for (const model::PatternRow& row : engine.run(MeasurePatternsTask{{begin, end}}).rows) {
            out.say("{}\n", model::to_text(row));
            table.rows.push_back(to_json(row, model::evaluate(row), "counter: by the worker's GPU"));
        }
        std::fflush(stdout);
    }
    if (!out.is_text())
        out.print(std::move(table));
    return 0;
}

int evaluate_or_measure(const ModelOptions& options, Output& out)
{
    return options.measure ? measure(options, out) : evaluate(options, out);
}

} // namespace

const Subcommand warps_command = {
    "warps", "when the warps of one SM run and when they wait, by the clock at each step (needs an NVIDIA GPU)",
    declare<show_warps>};
const Subcommand model_command = {"model", "evaluate access patterns by the bank and sector rules",
                                  declare<evaluate_or_measure>};

} // namespace app
