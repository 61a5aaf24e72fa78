#include "app/cli/trace.h"

#include "app/catalogue/fields_json.h"
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/job.h"
#include "app/cli/options.h"
#include "app/cli/trace_program.h"
#include "app/tasks/launch_file.h"
#include "app/tasks/save.h"
#include "app/text/tell.h"

#include "error.h"
#include "traced/expression.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <initializer_list>
#include <string_view>

namespace app {

namespace {

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
    const recording::Totals totals = recording.totals();
    out.say("shared loads: {} instructions, {} wavefronts, {} conflicts; stores: {}, {}, {}\n",
            totals.shared_load.instructions, totals.shared_load.wavefronts, totals.shared_load.conflicts,
            totals.shared_store.instructions, totals.shared_store.wavefronts, totals.shared_store.conflicts);
    out.say("global loads: {} requests, {} sectors; stores: {}, {}\n", totals.global_load.requests,
            totals.global_load.sectors, totals.global_store.requests, totals.global_store.sectors);
    if (result.check)
        out.say("{}", words_of(*result.check));
    for (const std::string& note : recording.executed->notes)
        out.say("- {}\n", note);
}

nlohmann::json to_json(const TraceResult& result)
{
    const recording::Recording& recording = *result.recorded.recording;
    nlohmann::json json = {{"kernel", recording.stage},
                           {"compiling_milliseconds", result.compiling_milliseconds},
                           {"milliseconds", result.milliseconds},
                           {"instructions_of_warps", result.steps},
                           {"notes", recording.executed->notes}};
    if (result.check)
        json["check"] = to_named_json(*result.check);
    return json;
}

// Options that would be ignored.
void refuse(const CLI::App& command, std::initializer_list<const char*> options, std::string_view why)
{
    for (const char* const option : options)
        if (command.count(option) > 0)
            throw kernels::Error(fmt::format("{} {}", option, why));
}

void refuse_what_is_ignored(const CLI::App& trace, bool file, const std::string& backend)
{
    if (file)
        refuse(trace, {"--list", "--launch", "--at-load"}, "is of a program, which is given after --; leave it out.");
    else
        refuse(trace,
               {"--backend", "--grid", "--block", "--cluster", "--args", "--size", "--alpha", "--beta", "--buffer",
                "--shared", "-I", "-D", "--check", "--steps", "--time-limit", "--in-process"},
               "is of a CUDA file; leave it out where a program is traced.");
    if (file && backend == "cuda")
        refuse(trace, {"--steps", "--time-limit", "--in-process"},
               "is of a kernel whose PTX is executed; leave it out, or leave out --backend cuda.");
}

bool is_cuda_file(const std::vector<std::string>& words)
{
    return words.size() == 1 && is_cuda_source(words.front());
}

// On a GPU the kernel runs in a program of its own, beside no worker.
TraceResult traced_file(const TraceTask& task, const TraceOptions& options, const std::stop_token& stop)
{
    if (options.backend == "cpu")
        return Engine(options.worker, "cpu").run(task, stop);
    return trace_on_gpu(task, {kernels::make_ladder(), machine_of(options), stop});
}

int trace_file(const TraceOptions& options, const std::string& file)
{
    const Interrupt interrupt;
    const TraceResult result = traced_file(task_of(options, file), options, interrupt.token());
    if (!options.output.empty())
        save({options.output, result.recorded.recording});
    Output out(options.form);
    print(options, result, out);
    out.end_with(to_json(result));
    return result.check && !result.check->ok ? 1 : 0;
}

int trace_program(TraceProgramTask program, const TraceOptions& options, bool list)
{
    if (list)
        return print_kernels_of({program.command}, options);
    program.kernel = options.request.kernel;
    program.blocks = options.blocks;
    if (options.output.empty())
        throw kernels::Error(
            "Where shall the recording go? Give -o FILE.gscope, or --list for what there is to record.");
    return record_program(program, options);
}

struct LaunchOptions : TraceOptions {
    std::string file;
    bool compare = false;       // with what the PTX machine makes of the kernel
    std::filesystem::path told; // empty: the result is printed
};

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
    // Where they are open, only a check of the result can say that it is right all the same.
    return good && (!differs || (result.check && !result.open_bits.empty())) ? 0 : 1;
}

} // namespace

TraceTask task_of(const TraceOptions& options, const std::string& file)
{
    TraceTask task{options.request};
    task.request.file = file;
    task.request.arguments = traced::split_at_commas(options.arguments);
    for (const std::string& block : options.blocks)
        if (const auto index = parse_block(block))
            task.request.blocks.push_back(*index);
        else
            throw kernels::Error(fmt::format("'{}' is no block; give X,Y or X,Y,Z.", block));
    return task;
}

void add_request(CLI::App& command, TraceOptions& options)
{
    traced::Request& request = options.request;
    command.add_option("--grid", request.grid, "blocks; M, N and K are those of --size, ceil() rounds up")
        ->type_name("N/128,M/128");
    command.add_option("--block", request.block, "threads")->type_name("X,Y,Z");
    command.add_option("--cluster", request.cluster, "blocks that run together")->type_name("X,Y,Z");
    command
        .add_option("--args", options.arguments,
                    "for each parameter M, N, K, alpha, beta, A, B, C (AT, BT, CT: stored "
                    "transposed), a number or a buffer")
        ->type_name("M,N,K,alpha,A,B,beta,C");
    command.add_option("--size", request.size, "N or MxNxK; default 128")->type_name("SIZE");
    command.add_option("--alpha", request.alpha, "default 1");
    command.add_option("--beta", request.beta, "default 0");
    command.add_option("--buffer", request.buffers, "a buffer for --args")
        ->type_name("NAME=BYTES[:zeros|random|iota|FILE]");
    command.add_option("--shared", request.shared, "dynamic shared memory of a block")->type_name("BYTES");
    command.add_option("-I", request.include_folders, "where its headers are")->type_name("DIR");
    command.add_option("-D", request.defines, "a macro for its compiler")->type_name("NAME=VALUE");
    command.add_option("--check", request.check, "gemm: compare C with alpha*A*B + beta*C in float64")
        ->check(CLI::IsMember({"gemm"}));
}

void add_trace_command(CLI::App& program, int& status)
{
    struct Arguments : TraceOptions {
        TraceProgramTask program;
        bool list = false;
    };
    const auto arguments = std::make_shared<Arguments>();
    CLI::App* trace = program.add_subcommand(
        "trace", "record a kernel of any CUDA file, with or without a GPU, or of any program that uses one");
    trace
        ->add_option(
            "what", arguments->program.command,
            "a CUDA file; what is not given here is taken from a comment in it, "
            "'// gemmscope: kernel=... grid=... block=... args=...'; or, after --, a program and its arguments")
        ->required();
    trace
        ->add_option("--backend", arguments->backend,
                     "of a file: cpu executes its PTX; cuda runs it on this machine's GPU and records the machine code")
        ->check(CLI::IsMember({"cuda", "cpu"}));
    trace->add_option(
        "--kernel", arguments->request.kernel,
        "of a file: with its template arguments, such as 'sgemm<128,8>'; of a program: a regular expression "
        "that its name contains");
    trace->add_flag("--list", arguments->list, "of a program: list the kernels that it launches instead");
    trace
        ->add_option("--launch", arguments->program.launch,
                     "of a program: the how-many-th launch that matches, default 1")
        ->check(CLI::PositiveNumber);
    trace->add_flag("--at-load", arguments->program.at_load,
                    "of a program that calls cuLaunchKernel of the CUDA driver itself, which else would wait for ever: "
                    "modules are patched when they are loaded");
    add_request(*trace, *arguments);
    trace->add_option(
        "--steps", arguments->request.most_steps,
        "of a file whose PTX is executed: instructions after which a warp is taken to run for ever; default "
        "20000000");
    trace
        ->add_option(
            "--in-full", arguments->blocks,
            "a block to keep in full; default 0,0, and where a GPU runs the kernel the first, middle and last one")
        ->type_name("X,Y");
    add_limits(*trace, arguments->worker);
    trace->add_option("-o,--output", arguments->output, "the recording file to write");
    add_form(*trace, arguments->form);
    trace->callback([arguments, trace, &status] {
        const TraceProgramTask& what = arguments->program;
        refuse_what_is_ignored(*trace, is_cuda_file(what.command), arguments->backend);
        status = is_cuda_file(what.command) ? trace_file(*arguments, what.command.front())
                                            : trace_program(what, *arguments, arguments->list);
    });
}

void add_launch_command(CLI::App& program, int& status)
{
    const auto [launch_once, arguments] = add_command<LaunchOptions>(
        program, status, "launch", "run a kernel of any CUDA file once on this machine's GPU, for other tools to watch",
        launch);
    launch_once
        ->add_option("file", arguments->file, "a CUDA file; what is not given is taken from its comment, as by trace")
        ->required();
    launch_once->add_option("--kernel", arguments->request.kernel,
                            "with its template arguments, such as 'sgemm<128,8>'");
    add_request(*launch_once, *arguments);
    launch_once->add_flag("--compare", arguments->compare,
                          "execute its PTX too, and compare what both leave in the buffers, bit for bit");
    launch_once
        ->add_option("--told", arguments->told, "where buffers and check are written, for 'trace --backend cuda'")
        ->group("");
}

} // namespace app
