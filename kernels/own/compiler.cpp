#include "own/compiler.h"

#include "error.h"
#include "kernel_sources.h"
#include "own/own_stage.h"
#include "own_headers.h"
#include "recording/disk.h"
#include "run_program.h"
#include "temporary_folder.h"
#include "traced/text_parts.h"
#include "user_cache.h"

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
kernels::ProgramOutput run(const std::vector<std::string>& arguments)
{
    kernels::ProgramCall call{.words = {compiler_name()}};
    call.words.insert(call.words.end(), arguments.begin(), arguments.end());
    kernels::ProgramOutput ended = kernels::run_program(std::move(call));
    if (!ended.found)
        throw kernels::Unavailable(
            "A stage of your own needs a C++ compiler here, and there is none: install the package "
            "g++ (12 or later).");
    return ended;
}

// Its libraries are loaded into this process.
fs::path cache()
{
    const fs::path folder = kernels::user_cache();
    return kernels::private_folder(
        folder.empty() ? fs::temp_directory_path() / fmt::format("gemmscope-stages-{}", getuid()) : folder / "stages");
}

void compile(const std::vector<std::string>& arguments, const std::string& folder_said)
{
    kernels::ProgramOutput ended = run(arguments);
    if (ended.good)
        return;
    for (std::size_t at = ended.text.find(folder_said); at != std::string::npos; at = ended.text.find(folder_said, at))
        ended.text.erase(at, folder_said.size());
    throw kernels::Error("It does not compile:\n" + ended.text);
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
    const kernels::TemporaryFolder unfinished(folder);
    const fs::path made = unfinished / "made";
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
    const kernels::TemporaryFolder unfinished(cache());
    const fs::path made = unfinished / "made";
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
            const kernels::ProgramOutput ended = own::run({"--version"});
            return ended.good ? ended.text.substr(0, ended.text.find('\n')) : std::string();
        } catch (const Unavailable&) {
            return std::string();
        }
    }();
    return words;
}

} // namespace kernels
