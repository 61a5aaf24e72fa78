#include "own/compiler.h"

#include "error.h"
#include "kernel_sources.h"
#include "own/own_stage.h"
#include "own_headers.h"
#include "recording/disk.h"
#include "temporary_folder.h"
#include "traced/text_parts.h"
#include "user_cache.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <vector>

namespace own {

namespace {

namespace fs = std::filesystem;

// -O1: what is recorded does not depend on it, and the kernel of a rung is compiled in half the time that -O2 takes.
const std::vector<std::string> options = {"-std=c++20",     "-O1", "-fPIC", "-w", "-fno-diagnostics-color",
                                          "-fmax-errors=20"};

struct Ended {
    bool good = false;
    std::string said; // on both streams
};

void write(const fs::path& file, std::string_view text)
{
    fs::create_directories(file.parent_path());
    recording::write_atomically(file, text);
}

const char* compiler_name()
{
    const char* chosen = std::getenv("CXX");
    return chosen != nullptr && *chosen == '/' ? chosen : "c++";
}

// Throws kernels::Unavailable where there is no such program.
Ended run(const std::vector<std::string>& arguments)
{
    const kernels::TemporaryFolder folder;
    const fs::path log = folder / "log";
    std::vector<std::string> words = {compiler_name()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    pid_t process = -1;
    const int error = posix_spawnp(&process, pointers[0], &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = -1;
    while (error == 0 && waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    const bool absent = error != 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127);
    if (absent)
        throw kernels::Unavailable(
            "A stage of your own needs a C++ compiler here, and there is none: install the package "
            "g++ (12 or later).");
    return {.good = WIFEXITED(status) && WEXITSTATUS(status) == 0, .said = recording::content_of(log)};
}

fs::path cache()
{
    const fs::path folder = kernels::user_cache();
    return folder.empty() ? fs::temp_directory_path() / fmt::format("gemmscope-own-{}", getuid()) : folder / "own";
}

void compile(const std::vector<std::string>& arguments, const std::string& folder_said)
{
    Ended ended = run(arguments);
    if (ended.good)
        return;
    for (std::size_t at = ended.said.find(folder_said); at != std::string::npos; at = ended.said.find(folder_said, at))
        ended.said.erase(at, folder_said.size());
    throw kernels::Error("It does not compile:\n" + ended.said);
}

// A folder with the headers and what they make precompiled; made once for each version of both program and compiler.
fs::path headers(std::string_view common)
{
    static std::mutex mutex; // the two libraries of a stage are made at once
    const std::lock_guard lock(mutex);
    kernels::CacheKey hash;
    hash.add(common);
    hash.add(kernels::system_compiler());
    for (const std::string_view file : kernel_sources::files())
        hash.add(kernel_sources::file(file));
    for (const std::string_view file : own_headers::files())
        hash.add(own_headers::file(file));
    for (const std::string& option : options)
        hash.add(option);
    fs::path folder = cache() / ("headers-" + hash.text());
    const fs::path precompiled = folder / "common.h.gch";
    if (fs::exists(precompiled))
        return folder;
    for (const std::string_view file : kernel_sources::files())
        write(folder / file, kernel_sources::file(file));
    for (const std::string_view file : own_headers::files())
        write(folder / file, own_headers::file(file));
    write(folder / "common.h", common);
    const fs::path made = folder / fmt::format("common.{}.gch", getpid());
    std::vector<std::string> arguments = options;
    for (const std::string& word : {std::string("-I"), folder.string(), std::string("-x"), std::string("c++-header"),
                                    (folder / "common.h").string(), std::string("-o"), made.string()})
        arguments.push_back(word);
    compile(arguments, folder.string() + "/");
    fs::rename(made, precompiled);
    return folder;
}

} // namespace

fs::path library(const std::string& name, const std::string& text, const std::string& wrapper, std::string_view common)
{
    const fs::path folder = headers(common);
    kernels::CacheKey hash;
    hash.add(folder.filename().string());
    hash.add(name);
    hash.add(traced::compiled_words(text));
    hash.add(wrapper);
    fs::path result = cache() / (name + "-" + hash.text() + ".so");
    if (fs::exists(result))
        return result;
    const kernels::TemporaryFolder sources;
    write(sources / (name + ".cu").c_str(), text);
    write(sources / "wrapper.cpp", wrapper);
    const fs::path made = cache() / fmt::format("{}-{}.{}.tmp", name, hash.text(), getpid());
    std::vector<std::string> arguments = options;
    for (const std::string& word : {std::string("-shared"), std::string("-include"), (folder / "common.h").string(),
                                    std::string("-I"), sources.path().string(), std::string("-I"), folder.string(),
                                    (sources / "wrapper.cpp").string(), std::string("-o"), made.string()})
        arguments.push_back(word);
    compile(arguments, sources.path().string() + "/");
    fs::rename(made, result);
    return result;
}

} // namespace own

namespace kernels {

std::string system_compiler()
{
    static const std::string words = [] {
        try {
            const own::Ended ended = own::run({"--version"});
            return ended.good ? ended.said.substr(0, ended.said.find('\n')) : std::string();
        } catch (const Unavailable&) {
            return std::string();
        }
    }();
    return words;
}

} // namespace kernels
