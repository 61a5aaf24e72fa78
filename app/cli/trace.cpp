#include "app/cli/trace.h"

#include "app/cli/job.h"
#include "app/data/fields_json.h"
#include "app/engine/files.h"
#include "app/engine/launch_file.h"
#include "app/engine/program.h"
#include "app/text/tell.h"

#include "injection/traced_program.h"
#include "recording/recording.h"
#include "temporary_folder.h"
#include "traced/expression.h"
#include "traced/source_text.h"

#include <initializer_list>
#include <utility>

namespace app {

namespace {

using nlohmann::json;
using injection::ListedLaunch;

std::string index_name(const recording::Index3& index)
{
    return fmt::format("{},{},{}", index.x, index.y, index.z);
}

std::vector<recording::Index3> blocks_of(const TraceOptions& options)
{
    std::vector<recording::Index3> blocks;
    for (const std::string& block : options.blocks)
        if (const auto index = parse_block(block))
            blocks.push_back(*index);
        else
            throw kernels::Error(fmt::format("'{}' is no block; give X,Y or X,Y,Z.", block));
    return blocks;
}

nlohmann::ordered_json to_json(const ListedLaunch& launch)
{
    return {{"kernel", injection::short_name(launch.name, 150)},
            {"name", launch.name},
            {"grid", index_name(launch.launch.grid)},
            {"block", index_name(launch.launch.block)},
            {"cluster", index_name(launch.cluster)},
            {"registers_per_thread", launch.resources.registers_per_thread},
            {"shared_bytes_per_block", launch.resources.shared_bytes_per_block},
            {"count", launch.count},
            {"microseconds_each", launch.time_ns / 1e3 / static_cast<double>(launch.count)},
            {"first", launch.first}};
}

// Reports the program's exit status. Prints nothing if it is 0.
void tell_status(int status)
{
    if (status != 0)
        tell("The program itself ended with status {}.\n", status);
}

// Returns a machine that names only the chosen GPU. The program runs in this process's terminal, so no worker is used.
Machine machine_of(const TraceOptions& options)
{
    Machine machine;
    if (!options.worker.gpu.empty())
        machine.chosen_gpu = kernels::find_gpu(kernels::list_gpus(), options.worker.gpu).uuid;
    return machine;
}

// Prints the launches of a program. Launches that do not differ share a row.
int print_kernels_of(const ListProgramTask& task, const TraceOptions& options, Output& out)
{
    const Interrupt interrupt;
    const Machine machine = machine_of(options);
    const auto [launches, status] = task.run({kernels::make_ladder(), machine, interrupt.token()});
    Table table("launches", "count=times | microseconds_each=us each:{:.2f} | grid:< | block:< | cluster:< | "
                            "registers_per_thread=regs | shared_bytes_per_block=shared | first | kernel:<");
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const ListedLaunch& launch : launches) {
        rows.push_back(to_json(launch));
        table.rows.push_back(rows.back());
    }
    out.print(std::move(table));
    out.end(rows, 1);
    tell_status(status);
    return 0;
}

// Returns the totals as executed if the recording has them, otherwise as written. A kind of access whose totals as
// written differ from these has a second row.
Table totals_by_access(const recording::Recording& recording, const std::optional<recording::Totals>& as_written)
{
    Table table("totals", "access=:< | instructions | wavefronts | conflicts | requests | sectors");
    const bool executed = recording::is_as_executed(recording);
    const json by_kind = to_named_json(recording.totals());
    const json written = to_named_json(as_written.value_or(recording.totals()));
    for (const auto& [kind, words] : {std::pair{"shared_load", "shared loads"},
                                      {"shared_store", "shared stores"},
                                      {"global_load", "global loads"},
                                      {"global_store", "global stores"}}) {
        table.rows.push_back(by_kind.at(kind));
        table.rows.back()["access"] = fmt::format("{} as {}", words, executed ? "executed" : "written");
        if (by_kind.at(kind) == written.at(kind))
            continue;
        table.rows.push_back(written.at(kind));
        table.rows.back()["access"] = fmt::format("{} as written", words);
    }
    return table;
}

void say_totals(const recording::Recording& recording, const std::optional<recording::Totals>& as_written,
                const Output& out)
{
    out.say("{}", text_of(totals_by_access(recording, as_written)));
    if (const Table rarer = rarer_totals(as_written.value_or(recording.totals())); !rarer.rows.empty())
        out.say("{}", text_of(rarer));
}

void choose_default_launch(TraceProgramTask& task, const ListProgramTask& listing, const Machine& machine)
{
    const Interrupt interrupt;
    const ListProgramResult listed = listing.run({kernels::make_ladder(), machine, interrupt.token()});
    const ListedLaunch& launch = listed.launches.at(default_launch(listed.launches));
    task.kernel = exactly(launch.name);
    task.launch = launch.first_of_name;
}

nlohmann::json with_values(nlohmann::json result, const recording::Recording& recording, const TraceOptions& options,
                           Output& out)
{
    if (!options.values.empty())
        result["values"] = print_values(recording, options.values, out);
    return result;
}

// Records one launch. Writes it to a file if the options name one.
int record_program(TraceProgramTask task, const TraceOptions& options, Output& out)
{
    task.output_to_errors = !out.is_text();
    task.blocks = options.blocks;
    const Interrupt interrupt;
    const Machine machine = machine_of(options);
    const auto [recorded, status] = task.run({kernels::make_ladder(), machine, interrupt.token()});
    const RecordingPtr& recording = recorded.recording;
    const auto& [grid, block] = recording->launch;
    if (!options.output.empty())
        SaveTask{options.output, recording}.write();
    const recording::Totals totals = recording->totals();
    out.say("{}, grid {}, blocks of {}: {} of {} blocks in full{}\n", recording->executed->kernel, index_name(grid),
            index_name(block), recording->blocks.size(), grid.volume(),
            options.output.empty() ? "" : fmt::format(" -> {}", options.output.string()));
    say_totals(*recording, {}, out);
    const nlohmann::json found = {{"kernel", recording->executed->kernel},
                                  {"grid", index_name(grid)},
                                  {"block", index_name(block)},
                                  {"blocks", recording->blocks.size()},
                                  {"shared_load_instructions", totals.shared_load.instructions},
                                  {"shared_load_wavefronts", totals.shared_load.wavefronts},
                                  {"shared_store_instructions", totals.shared_store.instructions},
                                  {"shared_store_wavefronts", totals.shared_store.wavefronts},
                                  {"global_load_requests", totals.global_load.requests},
                                  {"global_load_sectors", totals.global_load.sectors},
                                  {"global_store_requests", totals.global_store.requests},
                                  {"global_store_sectors", totals.global_store.sectors},
                                  {"notes", recording->executed->notes}};
    out.end_with(with_values(found, *recording, options, out), 1);
    for (const std::string& note : recording->executed->notes)
        tell("{}\n", note);
    tell_status(status);
    return 0;
}

std::string words_of(const traced::Check& check)
{
    return fmt::format("{}: error {:.1e} against float64, {:.1e} allowed\n", check.ok ? "right" : "WRONG", check.error,
                       check.tolerance);
}

void print(const TraceOptions& options, const TraceResult& result, const Output& out)
{
    const recording::Recording& recording = *result.recorded.recording;
    const auto& [grid, block] = recording.launch;
    out.say(
        "{}: grid ({},{},{}), block ({},{},{}), compiled in {:.0f} ms, {} instructions of warps run in {:.0f} ms{}\n",
        recording.stage, grid.x, grid.y, grid.z, block.x, block.y, block.z, result.compiling_milliseconds, result.steps,
        result.milliseconds, options.output.empty() ? "" : fmt::format(" -> {}", options.output.string()));
    say_totals(recording, result.written, out);
    if (result.check)
        out.say("{}", words_of(*result.check));
    for (const std::string& note : recording.executed->notes)
        out.say("- {}\n", note);
}

nlohmann::json to_json(const TraceResult& result)
{
    const recording::Recording& recording = *result.recorded.recording;
    nlohmann::json json = {
        {"kernel", recording.stage},
        {"compiling_milliseconds", result.compiling_milliseconds},
        {"milliseconds", result.milliseconds},
        {"instructions_of_warps", result.steps},
        {"as_executed", recording::is_as_executed(recording) ? to_named_json(recording.totals()) : nlohmann::json()},
        {"as_written", result.written ? to_named_json(*result.written) : nlohmann::json()},
        {"notes", recording.executed->notes}};
    if (result.check)
        json["check"] = to_named_json(*result.check);
    return json;
}

// Throws kernels::Error if one of the options was given, because it would be ignored.
void refuse(const CLI::App& command, std::initializer_list<const char*> options, std::string_view why)
{
    for (const char* const option : options)
        if (command.count(option) > 0)
            throw kernels::Error(fmt::format("{} {}", option, why));
}

// Options that apply only to a kernel that is launched without the file's host program.
constexpr std::initializer_list<const char*> kernel_options = {
    "--grid", "--block", "--cluster", "--args", "--size", "--alpha", "--beta", "--buffer", "--shared", "--check"};

void refuse_what_is_ignored(const CLI::App& trace, bool file, const std::string& backend)
{
    if (!file) {
        refuse(trace, kernel_options, "is of a CUDA file; leave it out where a program is traced.");
        refuse(trace, {"--backend", "-I", "-D", "--time-limit", "--in-process"},
               "is of a CUDA file; leave it out where a program is traced.");
    }
    if (file && backend == "cuda")
        refuse(trace, {"--steps", "--as-written", "--time-limit", "--in-process"},
               "is of a kernel whose PTX is executed; leave it out, or leave out --backend cuda.");
}

// Returns why the kernel of a CUDA file is launched alone, without the file's host program. Empty: the host program
// runs.
std::string why_kernel_alone(const CLI::App& trace, const std::string& file)
{
    for (const char* const option : kernel_options)
        if (trace.count(option) > 0)
            return fmt::format("{} launches the kernel alone", option);
    const std::string text = read_source(file);
    if (!traced::facts_in(text).empty())
        return "a comment in it says how its kernel is launched";
    return why_no_host_program(text);
}

// Traces a kernel of a file. A worker executes its PTX. On a GPU a separate program runs it, so no worker is used.
TraceResult traced_file(const TraceTask& task, const TraceOptions& options, const std::stop_token& stop)
{
    if (options.backend == "cpu")
        return CommandWorker(options.worker, "cpu", stop).run(task);
    return trace_on_gpu(task, {kernels::make_ladder(), machine_of(options), stop});
}

int trace_file(const TraceOptions& options, const std::string& file, Output& out)
{
    const Interrupt interrupt;
    const TraceResult result = traced_file(task_of(options, file), options, interrupt.token());
    if (!options.output.empty())
        SaveTask{options.output, result.recorded.recording}.write();
    print(options, result, out);
    out.end_with(with_values(to_json(result), *result.recorded.recording, options, out));
    return result.check && !result.check->ok ? 1 : 0;
}

struct TraceArguments : TraceOptions {
    TraceProgramTask program;
    std::vector<std::string> behind_dashes; // words of the command line after "--"
    bool list = false;
    const CLI::App* typed = nullptr; // the parsed command line, which contains the given options
};

void fields(OptionList& option, TraceArguments& options)
{
    options.typed = &option.command();
    option("what", options.program.command,
           "a CUDA file, whose host program is run, with its arguments after --; where --grid, --block or --args, or a "
           "comment in it, '// gemmscope: kernel=... grid=... block=... args=...', say how, one kernel is launched "
           "without it; or, after --, a program and its arguments");
    option(argument_option, options.behind_dashes, "a word after --").group(""); // is not listed
    option("--backend", options.backend,
           "of a file: cpu executes its PTX; cuda runs one kernel on this machine's GPU and records the machine code; "
           "without it a host program runs on the GPU where there is one",
           one_of("cuda", "cpu"));
    option("--kernel", options.request.kernel,
           "of a kernel alone: with its template arguments, such as 'sgemm<128,8>', or its number in the file; of a "
           "host program: a regular "
           "expression that its name contains");
    option("--list", options.list, "of a host program: list the kernels that it launches instead");
    option("--launch", options.program.launch,
           "of a host program: the how-many-th launch that matches, default 1; without --kernel and --launch it is the "
           "one "
           "that tells most: not one that only fills memory, one with shared memory before others, then one with more "
           "work",
           above_zero);
    option("--traced-seconds", options.program.most_seconds,
           "of a host program on a GPU: how long the recorded launch may run before the program is ended, default 120",
           above_zero);
    request_options(option, options);
    option("--steps", options.request.most_steps,
           "of a file whose PTX is executed: instructions after which a warp is taken to run for ever; default "
           "20000000");
    option(
        "--as-written", options.request.as_written,
        "of a file whose PTX is executed: the accesses that its PTX asks for, not those that its machine code makes");
    option("--in-full", options.blocks,
           "a block to keep in full; default 0,0, and where a GPU runs the kernel the first, middle and last one",
           typed("X,Y"));
    limit_options(option, options.worker);
    option("--values", options.values, "what a buffer held before and after the launch: its name, or all",
           typed("NAME"));
    option("-o,--output", options.output, "the recording file to write");
}

// A member that `trace --list` also prints for launches on a GPU has the same name there.
nlohmann::ordered_json to_json(const cudart::SeenLaunch& launch)
{
    return {{"kernel", injection::short_name(launch.name, 150)},
            {"name", launch.name},
            {"grid", index_name(launch.launch.grid)},
            {"block", index_name(launch.launch.block)},
            {"cluster", index_name(launch.cluster)},
            {"shared_bytes_per_block", launch.resources.shared_bytes_per_block},
            {"count", launch.count},
            {"executed", launch.executed},
            {"instructions_of_warps", launch.steps},
            {"first", launch.first}};
}

Table table_of_launches(const nlohmann::ordered_json& launches)
{
    Table table("launches", "count=times | instructions_of_warps=instructions | grid:< | block:< | cluster:< | "
                            "shared_bytes_per_block=shared | first | kernel:<");
    for (const auto& launch : launches)
        table.rows.push_back(launch);
    return table;
}

// Reports that the program was ended after the recording, was ended by a signal, or failed.
void tell_end(const cudart::HostProgramEnd& end)
{
    if (end.cut_short)
        tell("The recording is made. What the program does after it takes more than a minute, so it was ended.\n");
    else if (end.status > 128)
        tell("The program itself was ended by signal {}.\n", end.status - 128);
    else if (end.status != 0)
        tell("The program itself ended with status {}.\n", end.status);
}

// Lists the launches of a program that runs without a GPU, or records one of them. Throws as run_host_program() does.
int trace_host_program(HostProgramTask task, const TraceOptions& options, Output& out)
{
    task.request = options.request;
    task.request.blocks = blocks_of(options);
    task.output_to_errors = !out.is_text();
    const Interrupt interrupt;
    HostProgramResult result = run_host_program(
        task, [](const std::string& sentence) { tell("gemmscope: {}\n", sentence); }, interrupt.token());
    const cudart::HostProgramEnd& end = result.end;
    nlohmann::ordered_json launches = nlohmann::ordered_json::array();
    for (const cudart::SeenLaunch& launch : end.launches)
        launches.push_back(to_json(launch));
    if (task.list) {
        out.print(table_of_launches(launches));
        out.end(launches, 1);
        tell_end(end);
        return 0;
    }
    if (!options.output.empty())
        SaveTask{options.output, result.recorded->recording}.write();
    const TraceResult traced{.recorded = *result.recorded,
                             .check = {},
                             .warnings = end.recorded->traced.warnings,
                             .compiling_milliseconds = result.compiling_milliseconds,
                             .milliseconds = end.recorded->traced.milliseconds,
                             .steps = end.recorded->traced.steps,
                             .written = end.recorded->traced.written};
    print(options, traced, out);
    if (end.launches.size() > 1)
        out.say("This was launch {} of the program{}. --kernel and --launch choose among all:\n{}",
                end.recorded->number, task.launch == 0 ? ", which tells most" : "",
                text_of(table_of_launches(launches)));
    nlohmann::ordered_json json = with_values(to_json(traced), *traced.recorded.recording, options, out);
    json["launch"] = end.recorded->number;
    json["launches"] = std::move(launches);
    json["failures"] = end.failures;
    json["status"] = end.status;
    out.end_with(json);
    tell_end(end);
    return 0;
}

// Traces a launch of a program, which is compiled from a CUDA file or given as an executable.
int trace_program_of(const TraceArguments& options, Output& out)
{
    refuse(*options.typed, {"--time-limit", "--in-process"}, "is of a kernel that is launched alone; leave it out.");
    TraceProgramTask what = options.program;
    what.kernel = options.request.kernel;
    const bool is_chosen = !what.kernel.empty() || options.typed->count("--launch") > 0;
    if (options.typed->count("--backend") > 0 || !kernels::has_gpu())
        return trace_host_program(
            {.command = what.command, .launch = is_chosen ? what.launch : 0, .list = options.list}, options, out);
    const kernels::TemporaryFolder folder;
    const bool of_source = is_cuda_source(what.command.front());
    if (of_source) {
        build_for_gpu({.command = what.command, .request = options.request}, folder / "program");
        what.source = std::exchange(what.command.front(), (folder / "program").string());
    }
    const ListProgramTask listing{what.command, !out.is_text()};
    if (options.list)
        return print_kernels_of(listing, options, out);
    if (of_source && !is_chosen) // listing runs the program once more, and an executable may run for hours
        choose_default_launch(what, listing, machine_of(options));
    return record_program(what, options, out);
}

int trace_what(const TraceArguments& given, Output& out)
{
    TraceArguments options = given;
    std::vector<std::string>& words = options.program.command;
    words.insert(words.end(), given.behind_dashes.begin(), given.behind_dashes.end());
    if (words.empty())
        throw kernels::Error("What to trace is missing: give a CUDA file, or '--' and a program with its arguments.");
    const bool file = is_cuda_source(words.front());
    refuse_what_is_ignored(*options.typed, file, options.backend);
    if (!file)
        return trace_program_of(options, out);
    const std::string why = options.backend == "cuda" ? "--backend cuda launches the kernel alone"
                                                      : why_kernel_alone(*options.typed, words.front());
    if (why.empty())
        return trace_program_of(options, out);
    const std::string sentence =
        fmt::format("is of the file's host program, which is not run here: {}. Leave it out.", why);
    refuse(*options.typed, {"--list", "--launch"}, sentence);
    if (words.size() > 1)
        throw kernels::Error(fmt::format("'{}' {}", words[1], sentence));
    return trace_file(options, words.front(), out);
}

struct LaunchOptions : TraceOptions {
    std::string file;
    bool compare = false;       // runs the PTX machine too, and compares the buffers that both leave
    std::filesystem::path told; // empty: the result is printed
};

void fields(OptionList& option, LaunchOptions& options)
{
    option("file", options.file, "a CUDA file; what is not given is taken from its comment, as by trace", required);
    option("--kernel", options.request.kernel, "with its template arguments, such as 'sgemm<128,8>'");
    request_options(option, options);
    option("--compare", options.compare,
           "execute its PTX too, and compare what both leave in the buffers, bit for bit");
    option("--told", options.told, "where buffers and check are written, for 'trace --backend cuda'", hidden);
}

int launch(const LaunchOptions& options)
{
    const Interrupt interrupt;
    const LaunchFileResult result = launch_file(task_of(options, options.file), options.compare, interrupt.token());
    if (!options.told.empty()) {
        write_launched(options.told, result);
        return 0;
    }
    bool good = !result.check || result.check->ok, differs = false;
    if (result.check)
        write_out("{}", words_of(*result.check));
    for (const LaunchedBuffer& buffer : result.buffers)
        if (buffer.differing) {
            differs = differs || *buffer.differing != 0;
            write_out("{}: {}\n", buffer.name,
                      *buffer.differing == 0
                          ? "the same in every bit as when its PTX is executed"
                          : fmt::format("{} bytes differ from what executing its PTX gives, the first at byte {}",
                                        *buffer.differing, buffer.first_differing));
        }
    if (differs && !result.open_bits.empty())
        write_out("PTX leaves the last bits of {} open, so they may differ.\n", fmt::join(result.open_bits, ", "));
    // If PTX leaves last bits open, buffers may differ, and the result is right only if its check passes.
    return good && (!differs || (result.check && !result.open_bits.empty())) ? 0 : 1;
}

} // namespace

void request_options(OptionList& option, TraceOptions& options)
{
    traced::Request& request = options.request;
    option("--grid", request.grid, "blocks; M, N and K are those of --size, ceil() rounds up", typed("N/128,M/128"));
    option("--block", request.block, "threads", typed("X,Y,Z"));
    option("--cluster", request.cluster, "blocks that run together", typed("X,Y,Z"));
    option("--args", options.arguments,
           "for each parameter M, N, K, alpha, beta, A, B, C (AT, BT, CT: stored transposed), a number or a buffer",
           typed("M,N,K,alpha,A,B,beta,C"));
    option("--size", request.size, "N or MxNxK; default 128", typed("SIZE"));
    option("--alpha", request.alpha, "default 1");
    option("--beta", request.beta, "default 0");
    option("--buffer", request.buffers, "a buffer for --args", typed("NAME=BYTES[:zeros|random|iota|FILE]"));
    option("--shared", request.shared, "dynamic shared memory of a block", typed("BYTES"));
    option("-I", request.include_folders, "where its headers are", typed("DIR"));
    option("-D", request.defines, "a macro for its compiler", typed("NAME=VALUE"));
    option("--check", request.check, "gemm: compare C with alpha*A*B + beta*C in float64", one_of("gemm"));
}

TraceTask task_of(const TraceOptions& options, const std::string& file)
{
    TraceTask task{options.request};
    task.request.file = file;
    task.request.arguments = traced::split_at_commas(options.arguments);
    task.request.blocks = blocks_of(options);
    return task;
}

const Subcommand trace_command = {
    "trace", "run a CUDA file, with or without a GPU, or any program that uses one, and record a kernel of it",
    declare<trace_what>};
const Subcommand launch_command = {
    "launch", "run a kernel of any CUDA file once on this machine's GPU, for other tools to watch", declare<launch>};

} // namespace app
