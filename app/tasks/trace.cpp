#include "app/tasks/trace.h"

#include "error.h"
#include "ptx/file_launch.h"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <utility>

namespace app {

namespace {

constexpr std::size_t most_text = 4u << 20;

} // namespace

std::string read_source(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path))
        throw kernels::Error(fmt::format("{} cannot be opened. Name a CUDA file.", path.string()));
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.size() >= most_text)
        throw kernels::Error(fmt::format("{} has {} bytes, more than the {} that are read of a source file.",
                                         path.string(), text.size(), most_text));
    return text;
}

TraceResult trace(const TraceTask& task, const TaskContext& context)
{
    return trace(task, read_source(task.request.file), context);
}

TraceResult trace(const TraceTask& task, const std::string& text, const TaskContext& context)
{
    using Clock = std::chrono::steady_clock;
    const traced::Request request = traced::with_facts_of_file(task.request, text);
    const traced::UserKernel kernel = ptx::kernel_of(request, text);
    const Clock::time_point begin = Clock::now();
    const traced::CompiledKernel compiled = traced::compile(kernel);
    context.progress({1, 2, "running", {}});
    const std::chrono::duration<double, std::milli> compiling = Clock::now() - begin;
    ptx::Traced traced =
        ptx::trace(request, kernel, compiled, context.stop, [&, last = Clock::now()](uint64_t block) mutable {
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
            .steps = traced.steps};
}

bool is_cuda_source(const std::filesystem::path& file)
{
    const std::string ending = file.extension().string();
    return ending == ".cu" || ending == ".cuh";
}

} // namespace app
