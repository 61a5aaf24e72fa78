#include "app/engine/host_program.h"

#include "app/engine/trace.h"

#include "error.h"
#include "run_program.h"
#include "temporary_folder.h"
#include "traced/host_build.h"
#include "traced/source_text.h"

#include <chrono>

namespace app {

namespace {

traced::HostBuild build_of(const std::string& file, const traced::Request& request)
{
    return {.file = file,
            .include_folders = request.include_folders,
            .defines = request.defines,
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
                                           .request = task.request,
                                           .compiler = "nvcc"}};
    const kernels::TemporaryFolder folder;
    if (is_cuda_source(task.command.front())) {
        traced::HostBuild build = build_of(task.command.front(), task.request);
        build.stand_in = cudart::library_folder();
        build.program = folder.path() / kernels::plain_path(build.file.stem().string()); // what it is called by itself
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

void build_for_gpu(const std::string& file, const traced::Request& request, const std::filesystem::path& program)
{
    traced::HostBuild build = build_of(file, request);
    build.program = program;
    traced::build_host_program(build);
}

} // namespace app
