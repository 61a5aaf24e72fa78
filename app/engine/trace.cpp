#include "app/engine/trace.h"

#include "app/engine/launch_file.h"

#include "ptx/file_launch.h"
#include "recording/disk.h"

#include <chrono>
#include <utility>

namespace app {

std::string read_source(const std::filesystem::path& path)
{
    return recording::read_whole(path, recording::largest_source);
}

TraceResult TraceTask::run(const TaskContext& context) const
{
    return trace(*this, read_source(request.file), context);
}

TraceResult trace(const TraceTask& task, const std::string& text, const TaskContext& context)
{
    using Clock = std::chrono::steady_clock;
    traced::Request request = completed_request(task.request, text);
    const traced::UserKernel kernel = ptx::kernel_of(request, text);
    const Clock::time_point begin = Clock::now();
    const traced::CompiledKernel compiled = traced::compile(kernel);
    context.progress({1, 2, "running", {}});
    const std::chrono::duration<double, std::milli> compiling = Clock::now() - begin;
    ptx::Traced traced = ptx::trace_with_sizes(request, kernel, compiled, context.stop,
                                               [&, last = Clock::now()](uint64_t block) mutable {
                                                   if (Clock::now() - last > std::chrono::milliseconds(200)) {
                                                       last = Clock::now();
                                                       context.progress({block, 0, "running", {}});
                                                   }
                                               });
    return {.recorded = derive(std::move(traced.recording)),
            .check = traced.check,
            .warnings = std::move(traced.warnings),
            .compiling_milliseconds = compiling.count(),
            .milliseconds = traced.milliseconds,
            .steps = traced.steps,
            .written = traced.written};
}

bool is_cuda_source(const std::filesystem::path& file)
{
    const std::string ending = file.extension().string();
    return ending == ".cu" || ending == ".cuh";
}

} // namespace app
