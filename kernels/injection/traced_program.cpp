#include "injection/traced_program.h"

#include "error.h"
#include "injection/request.h"
#include "recording/format.h"
#include "run_program.h"
#include "temporary_folder.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <regex>
#include <string_view>
#include <thread>
#include <utility>

namespace injection {

namespace {

namespace fs = std::filesystem;

int shell_status(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

constexpr auto patience = std::chrono::seconds(5); // time for a program to end after it was asked to

using Clock = std::chrono::steady_clock;

// Watches the started program. If the caller stops, or if the program runs too long after the recording, asks the
// program to end and later kills it. Kills it at once if the traced launch runs too long.
class StartedProgram {
public:
    // `folder` is that of the request and its answer.
    StartedProgram(const TracedProgram& program, pid_t process, fs::path folder)
        : program_(program), process_(process), folder_(std::move(folder))
    {
    }

    bool asked() const { return asked_.has_value(); }

    // Throws kernels::Error if the traced launch runs for too long.
    void check(const std::stop_token& stop)
    {
        const Clock::time_point now = Clock::now();
        if (!begins_ && fs::exists(folder_ / begun_file))
            begins_ = now;
        if (!recorded_ && fs::exists(folder_ / done_file))
            recorded_ = now;
        const bool late =
            recorded_ && program_.most_after_recording && now >= *recorded_ + *program_.most_after_recording;
        if ((stop.stop_requested() || late) && !asked_) {
            asked_ = now;
            kill(process_, SIGTERM);
        }
        if (asked_ && now > *asked_ + patience)
            kill(process_, SIGKILL);
        if (begins_ && !recorded_ && now > *begins_ + std::chrono::duration<double>(program_.most_seconds)) {
            kill(process_, SIGKILL);
            waitpid(process_, nullptr, 0);
            throw kernels::Error(
                fmt::format("The recorded launch did not end within {:g} s, so the program was ended. With "
                            "what tracing adds a launch takes longer: --traced-seconds N waits for it, and a "
                            "smaller problem ends sooner.",
                            program_.most_seconds));
        }
    }

private:
    const TracedProgram& program_;
    pid_t process_;
    fs::path folder_;
    std::optional<Clock::time_point> asked_, begins_, recorded_;
};

ProgramEnd run(const TracedProgram& program, const fs::path& request, std::stop_token stop)
{
    if (program.command.empty())
        throw kernels::Error("No program is given: write it after --, as in 'gemmscope trace -- python train.py'.");
    std::vector<std::string> ours = {fmt::format("CUDA_INJECTION64_PATH={}", injected_library().string()),
                                     fmt::format("{}={}", request_variable, request.string())};
    if (!program.gpu.empty())
        ours.push_back("CUDA_VISIBLE_DEVICES=" + program.gpu);
    const kernels::TakenOutput output(program.output, program.output_to_errors);
    const pid_t child = kernels::start_program(program.command, kernels::environment_with(ours), output.streams());
    StartedProgram started(program, child, request.parent_path());
    int status = 0;
    for (pid_t ended = 0; ended == 0;) {
        ended = waitpid(child, &status, WNOHANG);
        output.read();
        if (ended == 0) {
            started.check(stop);
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }
    if (stop.stop_requested())
        throw kernels::Cancelled();
    return {.status = shell_status(status), .cut_short = started.asked()};
}

// Checks the expression before the program starts, because the program may run for hours.
void check_expression(const std::string& kernel)
{
    try {
        const std::regex checked(kernel);
    } catch (const std::regex_error& error) {
        throw kernels::Error(fmt::format("'{}' is no regular expression: {}.", kernel, error.what()));
    }
}

std::string how_it_ended(const ProgramEnd& end)
{
    return end.status == 0    ? "ran to its end"
           : end.status > 128 ? fmt::format("was ended by signal {}", end.status - 128)
                              : fmt::format("ended with status {}", end.status);
}

} // namespace

std::vector<ListedLaunch> list_launches(const TracedProgram& program, ProgramEnd& end, std::stop_token stop)
{
    const kernels::TemporaryFolder folder;
    Request{.list = true, .library = cupti_library(), .tracer = getpid()}.write(folder.path() / request_file);
    end = run(program, folder.path() / request_file, stop);
    std::vector<ListedLaunch> launches = read_launches(folder.path());
    if (const std::string errors = read_errors(folder.path()); !errors.empty())
        throw kernels::Error(errors);
    if (launches.empty())
        throw kernels::Error(
            fmt::format("{} {} and launched no kernel on a GPU.", program.command.front(), how_it_ended(end)));
    return launches;
}

RawTrace trace_launch(const TracedProgram& program, ProgramEnd& end, std::stop_token stop)
{
    check_expression(program.kernel);
    const kernels::TemporaryFolder folder;
    make_patches(folder.path());
    Request{.kernel = program.kernel,
            .launch = program.launch,
            .blocks = program.blocks,
            .library = sanitizer_library(),
            .patches = folder.path(),
            .tracer = getpid(),
            .value_bytes = recording::most_value_bytes}
        .write(folder.path() / request_file);
    end = run(program, folder.path() / request_file, stop);
    if (fs::exists(folder.path() / done_file))
        return read_trace(folder.path());
    if (const std::string errors = read_errors(folder.path()); !errors.empty())
        throw kernels::Error(errors);
    throw kernels::Error(fmt::format(
        "{} {} and launched no kernel that matches '{}' {} time{}: 'gemmscope trace --list "
        "-- ...' lists what it launches.",
        program.command.front(), how_it_ended(end), program.kernel, program.launch, program.launch == 1 ? "" : "s"));
}

namespace {

// Returns the position of the first `wanted` outside all brackets, or npos.
std::size_t outside(std::string_view text, std::string_view wanted, std::size_t from = 0)
{
    int depth = 0;
    for (std::size_t i = from; i < text.size(); ++i) {
        if (depth == 0 && text.substr(i).starts_with(wanted))
            return i;
        if (text[i] == '<' || text[i] == '(' || text[i] == '{' || text[i] == '[')
            ++depth;
        else if (text[i] == '>' || text[i] == ')' || text[i] == '}' || text[i] == ']')
            depth = std::max(0, depth - 1);
    }
    return std::string_view::npos;
}

std::string_view without_namespaces(std::string_view name)
{
    for (std::size_t at = outside(name, "::"); at != std::string_view::npos; at = outside(name, "::"))
        name.remove_prefix(at + 2);
    return name;
}

} // namespace

std::string short_name(std::string_view name, std::size_t most)
{
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    std::string plain(name);
    for (std::size_t at = plain.find(unnamed); at != std::string::npos; at = plain.find(unnamed))
        plain.erase(at, unnamed.size());
    name = plain;
    if (const std::size_t arguments = outside(name, "("); arguments != std::string_view::npos && arguments > 0)
        name = name.substr(0, arguments);
    for (std::size_t space = outside(name, " "); space != std::string_view::npos; space = outside(name, " "))
        name.remove_prefix(space + 1); // removes the return type
    name = without_namespaces(name);
    const std::size_t open = name.find('<');
    if (name.size() <= most)
        return std::string(name);
    if (open == std::string_view::npos || !name.ends_with('>')) { // both ends of the name identify it
        const std::size_t half = (most - 3) / 2;
        return fmt::format("{}...{}", name.substr(0, half), name.substr(name.size() - half));
    }
    return std::string(name.substr(0, std::min(open, most))) + "<...>";
}

namespace fs = std::filesystem;

fs::path injected_library()
{
    std::error_code ignored;
    const fs::path beside = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    for (const fs::path& place : {beside / "libgemmscope_trace.so", beside / "../lib/gemmscope/libgemmscope_trace.so",
                                  beside / "../lib/x86_64-linux-gnu/gemmscope/libgemmscope_trace.so"})
        if (fs::exists(place, ignored))
            return fs::canonical(place);
    throw kernels::Unavailable(
        "libgemmscope_trace.so, which tracing a program needs, is not beside gemmscope: install or "
        "build gemmscope anew.");
}

} // namespace injection
