#include "run_program.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kernels {

namespace {

constexpr std::size_t most_output = std::size_t{256} << 20; // output beyond this is read and discarded

// The settings for posix_spawn() besides the program's arguments.
class SpawnSettings {
public:
    SpawnSettings()
    {
        posix_spawn_file_actions_init(&actions);
        posix_spawnattr_init(&attributes);
        sigset_t none; // lets the program receive signals that this thread blocks
        sigemptyset(&none);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    }
    ~SpawnSettings()
    {
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;

    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
};

using Stream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

struct Pipe {
    Stream from{nullptr, std::fclose}, to{nullptr, std::fclose};
};

Pipe make_pipe()
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return {};
    return {{fdopen(ends[0], "r"), std::fclose}, {fdopen(ends[1], "w"), std::fclose}};
}

std::string all_of(std::FILE* stream)
{
    std::string text;
    std::array<char, 1 << 16> some{};
    while (const std::size_t count = std::fread(some.data(), 1, some.size(), stream))
        text.append(some.data(), std::min(count, most_output - text.size()));
    return text;
}

} // namespace

int start_program(std::vector<std::string> words, std::vector<std::string> environment, ProgramStreams streams)
{
    SpawnSettings settings;
    if (streams.output != STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&settings.actions, streams.output, STDOUT_FILENO);
    if (streams.apart) {
        posix_spawn_file_actions_adddup2(&settings.actions, STDOUT_FILENO, STDERR_FILENO);
        posix_spawn_file_actions_addopen(&settings.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    }
    pid_t process = 0;
    const int error = posix_spawnp(&process, words.front().c_str(), &settings.actions, &settings.attributes,
                                   pointers_to(words).data(), pointers_to(environment).data());
    if (error != 0)
        throw Error(fmt::format("{} cannot be started: {}.", words.front(), std::strerror(error)));
    return process;
}

TakenOutput::TakenOutput(Take take, bool to_errors) : take_(std::move(take)), to_errors_(to_errors)
{
    std::array<int, 2> ends{-1, -1};
    if (take_ && pipe2(ends.data(), O_CLOEXEC) != 0)
        throw Error(fmt::format("A pipe cannot be made: {}.", std::strerror(errno)));
    from_ = ends[0];
    to_ = ends[1];
    if (take_)
        fcntl(from_, F_SETFL, O_NONBLOCK);
}

TakenOutput::~TakenOutput()
{
    for (const int end : {from_, to_})
        if (end >= 0)
            close(end);
}

ProgramStreams TakenOutput::streams() const
{
    if (take_)
        return {.output = to_, .apart = true};
    return {.output = to_errors_ ? STDERR_FILENO : STDOUT_FILENO};
}

void TakenOutput::read() const
{
    // A program may print faster than this function reads. So it returns from time to time for the caller's checks.
    constexpr int reads_at_once = 16;
    std::array<char, 1 << 14> some{};
    ssize_t count = 0;
    for (int i = 0; i < reads_at_once && take_ && (count = ::read(from_, some.data(), some.size())) > 0; ++i)
        take_({some.data(), static_cast<std::size_t>(count)});
}

ProgramOutput run_program(ProgramCall call)
{
    Pipe output = make_pipe();
    if (!output.from || !output.to)
        return {};
    SpawnSettings settings;
    posix_spawn_file_actions_addopen(&settings.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&settings.actions, fileno(output.to.get()), STDOUT_FILENO);
    if (call.takes_errors)
        posix_spawn_file_actions_adddup2(&settings.actions, STDOUT_FILENO, STDERR_FILENO);
    else
        posix_spawn_file_actions_addopen(&settings.actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (!call.folder.empty())
        posix_spawn_file_actions_addchdir_np(&settings.actions, call.folder.c_str());
    std::vector<std::string> environment = environment_with(call.environment);
    pid_t process = -1;
    const int error = posix_spawnp(&process, call.words.front().c_str(), &settings.actions, &settings.attributes,
                                   pointers_to(call.words).data(), pointers_to(environment).data());
    output.to.reset();
    if (error != 0)
        return {};
    ProgramOutput result{.text = all_of(output.from.get())};
    int status = -1;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    result.found = !WIFEXITED(status) || WEXITSTATUS(status) != 127;
    result.good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return result;
}

std::vector<std::string> environment_with(const std::vector<std::string>& entries)
{
    const auto name_of = [](std::string_view entry) { return entry.substr(0, entry.find('=')); };
    std::vector<std::string> result;
    // Programs see the first of two entries with the same name, so the old entry is omitted.
    for (char** entry = environ; *entry != nullptr; ++entry)
        if (std::ranges::none_of(entries, [&](const std::string& own) { return name_of(own) == name_of(*entry); }))
            result.emplace_back(*entry);
    result.insert(result.end(), entries.begin(), entries.end());
    return result;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts)
{
    std::vector<char*> result;
    for (std::string& text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

std::string plain_path(std::string_view text)
{
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+";
    std::string result(text);
    for (char& c : result)
        if (plain.find(c) == std::string_view::npos)
            c = '_';
    if (result.starts_with('-'))
        result.front() = '_';
    return result;
}

} // namespace kernels
