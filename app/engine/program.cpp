#include "app/engine/program.h"

#include "app/engine/trace.h"

#include "error.h"
#include "injection/executed_recording.h"
#include "injection/traced_program.h"
#include "recording/disk.h"
#include "run_program.h"
#include "temporary_folder.h"
#include "traced/host_text.h"
#include "traced/source_text.h"
#include "traced/user_kernel.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>

namespace app {

ListProgramResult ListProgramTask::run(const TaskContext& context) const
{
    injection::ProgramEnd end;
    ListProgramResult result{
        .launches = injection::list_launches(
            {.command = command, .gpu = context.machine.chosen_gpu, .output_to_errors = output_to_errors}, end,
            context.stop)};
    result.status = end.status;
    return result;
}

TraceProgramResult TraceProgramTask::run(const TaskContext& context) const
{
    injection::ProgramEnd end;
    const injection::RawTrace trace = injection::trace_launch({.command = command,
                                                               .kernel = kernel,
                                                               .launch = launch,
                                                               .blocks = blocks,
                                                               .most_seconds = most_seconds,
                                                               .gpu = context.machine.chosen_gpu,
                                                               .output_to_errors = output_to_errors},
                                                              end, context.stop);
    // The line table names a temporary folder, in which the file was compiled.
    std::optional<recording::SourceFile> compiled;
    if (!source.empty())
        compiled = {std::filesystem::path(source).filename().string(),
                    recording::content_of(source, recording::largest_source)};
    return {.recorded = derive(injection::executed_recording(trace, injection::code_of(trace.cubin, trace.kernel), {},
                                                             compiled ? &*compiled : nullptr)),
            .status = end.status};
}

namespace {

traced::HostBuild build_of(const HostProgramTask& task)
{
    return {.file = task.command.front(),
            .text = task.text,
            .include_folders = task.request.include_folders,
            .defines = task.request.defines,
            .stand_in = {},
            .program = {}};
}

} // namespace

std::string why_no_host_program(const std::string& text)
{
    if (!traced::has_main(text))
        return "it has no main function";
    if (!traced::can_build_host_programs())
        return "nvcc, which compiles host programs, is not installed";
    return {};
}

HostProgramResult run_host_program(const HostProgramTask& task, const std::function<void(const std::string&)>& say,
                                   const std::stop_token& stop)
{
    using Clock = std::chrono::steady_clock;
    HostProgramResult result;
    cudart::HostProgram program{.command = task.command,
                                .wanted = {.kernel = task.request.kernel,
                                           .launch = task.launch,
                                           .list = task.list,
                                           .source = {},
                                           .text = task.text,
                                           .request = task.request,
                                           .compiler = "nvcc"},
                                .output = task.output,
                                .output_to_errors = task.output_to_errors,
                                .most_after_recording = task.most_after_recording};
    const kernels::TemporaryFolder folder;
    if (is_cuda_source(task.command.front())) {
        traced::HostBuild build = build_of(task);
        build.stand_in = cudart::library_folder();
        // The program finds this name in argv[0].
        build.program = folder.path() / kernels::plain_path(build.file.stem().string());
        const Clock::time_point begin = Clock::now();
        traced::build_host_program(build);
        result.compiling_milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
        program.command.front() = build.program.string();
        program.wanted.source = std::filesystem::absolute(build.file);
    }
    result.end = cudart::run_host_program(program, say, stop);
    if (result.end.recorded)
        result.recorded = derive(std::move(result.end.recorded->traced.recording));
    return result;
}

void build_for_gpu(const HostProgramTask& task, const std::filesystem::path& program)
{
    traced::HostBuild build = build_of(task);
    build.program = program;
    traced::build_host_program(build);
}

std::size_t default_launch(const std::vector<injection::ListedLaunch>& launches)
{
    std::vector<std::string> names;
    for (const injection::ListedLaunch& one : launches)
        names.push_back(injection::short_name(one.name));
    std::vector<traced::LaunchToShow> all;
    for (std::size_t i = 0; i < launches.size(); ++i)
        all.push_back({names[i], launches[i].resources.shared_bytes_per_block,
                       launches[i].time_ns / static_cast<double>(std::max<uint64_t>(launches[i].count, 1))});
    return traced::default_launch(all).value_or(0);
}

std::string exactly(std::string_view name)
{
    std::string expression = "^";
    for (const char c : name) {
        if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos)
            expression += '\\';
        expression += c;
    }
    return expression + "$";
}

} // namespace app
