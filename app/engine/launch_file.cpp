#include "app/engine/launch_file.h"

#include "app/engine/bytes.h"
#include "app/text/command_words.h"

#include "error.h"
#include "injection/executed_recording.h"
#include "injection/traced_program.h"
#include "ptx/file_launch.h"
#include "ptx/trace.h"
#include "recording/disk.h"
#include "temporary_folder.h"
#include "traced/launch.h"
#include "traced/launch_from_text.h"
#include "traced/own_files.h"
#include "traced/source_text.h"
#include "traced/user_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <span>
#include <utility>

namespace app {

namespace {

constexpr uint64_t largest_told = 16u << 20;

struct Ready {
    traced::UserKernel kernel;
    traced::CompiledKernel compiled;
    ptx::FileLaunch launch;
};

// Prepares the launch. Replaces automatic sizes of buffers in the request by the sizes that the launch needs.
Ready make_ready(traced::Request& request, const std::string& text, const std::stop_token& stop)
{
    Ready ready{.kernel = ptx::kernel_of(request, text), .compiled = {}, .launch = {}};
    ready.compiled = traced::compile(ready.kernel);
    if (std::ranges::any_of(request.buffers, traced::has_automatic_size))
        ptx::trace_with_sizes(request, ready.kernel, ready.compiled, stop, [](uint64_t) {});
    ready.launch = ptx::file_launch(request, ready.kernel, ready.compiled);
    return ready;
}

// Returns the file's text. If its kernels are in files that it includes, appends the texts of these files, so that the
// line numbers of its own text do not change.
std::string text_with_kernels(const traced::Request& request, const std::string& text)
{
    std::string all = text;
    if (traced::kernels_in(text).empty())
        for (const traced::OwnFile& one : traced::own_files(request.file, text, request.include_folders))
            if (one.path != std::filesystem::absolute(request.file).lexically_normal())
                all += "\n" + one.text;
    return all;
}

void compare_bytes(LaunchedBuffer& buffer, std::span<const std::byte> ran, std::span<const std::byte> executed)
{
    buffer.differing = 0;
    for (std::size_t i = ran.size(); i-- > 0;)
        if (ran[i] != executed[i]) {
            ++*buffer.differing;
            buffer.first_differing = i;
        }
}

injection::KnownLaunch known_launch(const Ready& ready, const LaunchFileResult& launched)
{
    const traced::PreparedLaunch& launch = ready.launch.launch;
    injection::KnownLaunch known{
        .kernel = ready.kernel.kernel,
        .problem = launch.problem,
        .multiplies = launch.multiplies,
        .buffers = {},
        .source = {ready.kernel.file.filename().string(), traced::shown_text(ready.kernel.text)}};
    for (const traced::Buffer& buffer : launch.buffers)
        if (const auto at = std::ranges::find(launched.buffers, buffer.name, &LaunchedBuffer::name);
            at != launched.buffers.end())
            known.buffers.push_back({traced::array_of(buffer), buffer.role, at->address, buffer.type});
    return known;
}

// Returns what the request declares for the buffer of this name. Null: nothing.
const std::string* declared(const traced::Request& request, const std::string& name)
{
    const auto found = std::ranges::find_if(
        request.buffers, [&](const std::string& one) { return one.substr(0, one.find('=')) == name; });
    return found == request.buffers.end() ? nullptr : &*found;
}

FormParameter parameter_of(const traced::WrittenParameter& written, const std::string& argument,
                           const traced::Request& request)
{
    FormParameter parameter{.type = written.type, .name = written.name, .value = argument, .bytes = {}, .fill = {}};
    const std::string* const buffer = declared(request, argument);
    if (buffer == nullptr)
        return parameter;
    const std::size_t equals = buffer->find('='), colon = std::min(buffer->find(':', equals), buffer->size());
    parameter.is_buffer = true;
    parameter.bytes = buffer->substr(equals + 1, colon - equals - 1);
    parameter.fill = colon < buffer->size() ? buffer->substr(colon + 1) : "zeros";
    return parameter;
}

} // namespace

LaunchFileResult launch_file(const TraceTask& task, bool compare, const std::stop_token& stop)
{
    const std::string text = read_source(task.request.file);
    traced::Request request = completed_request(task.request, text);
    const Ready ready = make_ready(request, text, stop);
    const traced::PreparedLaunch& launch = ready.launch.launch;
    const traced::GpuLaunch ran = traced::launch_on_gpu(ready.compiled, launch, ready.launch.arguments);
    LaunchFileResult result;
    for (std::size_t i = 0; i < launch.buffers.size(); ++i)
        result.buffers.push_back({.name = launch.buffers[i].name, .address = ran.addresses[i], .differing = {}});
    if (compare) {
        const ptx::Traced executed = ptx::trace(request, ready.kernel, ready.compiled, stop);
        for (std::size_t i = 0; i < launch.buffers.size(); ++i)
            compare_bytes(result.buffers[i], ran.after[i].bytes, executed.after[i].bytes);
        result.open_bits = ready.launch.program.approximate;
    }
    if (request.check == "gemm")
        result.check = traced::check_gemm(request, launch, ran.after, stop);
    return result;
}

void write_launched(const std::filesystem::path& file, const LaunchFileResult& result)
{
    recording::write_atomically(file, to_bytes(result));
}

LaunchFileResult read_launched(const std::filesystem::path& file)
{
    std::error_code unknown;
    if (!std::filesystem::exists(file, unknown))
        throw kernels::Error("The kernel was not launched; what went wrong stands above.");
    const std::string bytes = recording::read_whole(file, largest_told);
    return from_bytes<LaunchFileResult>(std::as_bytes(std::span(bytes)));
}

traced::Request completed_request(const traced::Request& request, const std::string& text)
{
    const traced::Request asked = traced::with_facts_of_file(request, text);
    const traced::CompletedLaunch done = traced::completed(asked, text_with_kernels(asked, text));
    if (done.missing.empty())
        return done.request;
    std::string command = "gemmscope trace";
    for (const std::string& word : words_of(done.request))
        command += " " + word_for_shell(word);
    throw kernels::Error(fmt::format("What is missing to launch a kernel of {}: {}. For example:\n{}",
                                     request.file.filename().string(), fmt::join(done.missing, "; "), command));
}

std::vector<std::string> words_of(const traced::Request& request)
{
    std::vector<std::string> words{std::filesystem::absolute(request.file).string()};
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty())
            words.insert(words.end(), {option, value});
    };
    add("--kernel", request.kernel);
    add("--grid", request.grid);
    add("--block", request.block);
    add("--cluster", request.cluster);
    add("--args", fmt::format("{}", fmt::join(request.arguments, ",")));
    add("--size", request.size);
    add("--alpha", request.alpha ? fmt::format("{}", *request.alpha) : "");
    add("--beta", request.beta ? fmt::format("{}", *request.beta) : "");
    for (const std::string& buffer : request.buffers)
        add("--buffer", buffer);
    add("--shared", request.shared);
    for (const std::string& folder : request.include_folders)
        add("-I", folder);
    for (const std::string& define : request.defines)
        add("-D", define);
    add("--check", request.check);
    return words;
}

TraceResult trace_on_gpu(const TraceTask& task, const TaskContext& context)
{
    using Clock = std::chrono::steady_clock;
    const std::string text = read_source(task.request.file);
    traced::Request request = completed_request(task.request, text);
    const Clock::time_point begin = Clock::now();
    const Ready ready = make_ready(request, text, context.stop);
    const std::chrono::duration<double, std::milli> compiling = Clock::now() - begin;
    const kernels::TemporaryFolder folder;
    const std::filesystem::path told = folder.path() / "launched";
    injection::TracedProgram program{.command = {"/proc/self/exe", "launch", "--told", told.string()},
                                     .blocks = {},
                                     .gpu = context.machine.chosen_gpu};
    std::ranges::move(words_of(request), std::back_inserter(program.command));
    for (const recording::Index3& block : request.blocks)
        program.blocks.push_back(fmt::format("{},{},{}", block.x, block.y, block.z));
    injection::ProgramEnd end;
    const Clock::time_point started = Clock::now();
    const injection::RawTrace trace = injection::trace_launch(program, end, context.stop);
    const std::chrono::duration<double, std::milli> running = Clock::now() - started;
    const LaunchFileResult launched = read_launched(told);
    recording::Recording recording = injection::executed_recording(trace, injection::code_of(trace.cubin, trace.kernel),
                                                                   known_launch(ready, launched));
    uint64_t steps = 0;
    for (const injection::InstructionTotals& totals : trace.totals)
        steps += totals.executed;
    return {.recorded = derive(std::move(recording)),
            .check = launched.check,
            .warnings = {},
            .compiling_milliseconds = compiling.count(),
            .milliseconds = running.count(),
            .steps = steps};
}

LaunchForm form_of(const traced::Request& asked, const std::string& text)
{
    const traced::CompletedLaunch done = traced::completed(traced::with_facts_of_file(asked, text), text);
    const traced::Request& request = done.request;
    LaunchForm form{.kernels = {},
                    .kernel = request.kernel,
                    .grid = request.grid,
                    .block = request.block,
                    .shared = request.shared,
                    .parameters = {},
                    .missing = done.missing};
    for (const traced::KernelChoice& one : traced::kernel_choices(text))
        form.kernels.push_back(one.kernel);
    const std::vector<traced::WrittenKernel> all = traced::kernels_in(text);
    if (const traced::WrittenKernel* const kernel = traced::kernel_called(all, request.kernel))
        for (std::size_t i = 0; i < kernel->parameters.size() && i < request.arguments.size(); ++i)
            form.parameters.push_back(parameter_of(kernel->parameters[i], request.arguments[i], request));
    return form;
}

traced::Request request_of(const LaunchForm& form, const traced::Request& asked)
{
    traced::Request request = asked;
    request.kernel = form.kernel;
    request.grid = form.grid;
    request.block = form.block;
    request.shared = form.shared;
    request.arguments.clear();
    request.buffers.clear();
    for (const FormParameter& parameter : form.parameters) {
        request.arguments.push_back(parameter.value);
        if (parameter.is_buffer && declared(request, parameter.value) == nullptr)
            request.buffers.push_back(fmt::format("{}={}:{}", parameter.value, parameter.bytes, parameter.fill));
    }
    return request;
}

} // namespace app
