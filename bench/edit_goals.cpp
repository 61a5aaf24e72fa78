// Measures the time from an edit to the new picture, in the window as a user sees it, and the time to execute a kernel
// of any CUDA file without a GPU.
#include "goals.h"
#include "tests/paths.h"

#include "own/copy.h"
#include "program.h"
#include "ptx/file_launch.h"
#include "ptx/trace.h"
#include "stage.h"
#include "temporary_folder.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

namespace bench {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int edits = 4;

double since(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string text_of(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Inserts a different number into the kernel's lines each time, so that no cache contains the result.
std::string edited(const std::string& text, int number)
{
    const std::size_t kernel = text.find("\n__global__"), open = text.find("{\n", kernel);
    if (kernel == std::string::npos || open == std::string::npos)
        throw std::runtime_error("the file has no kernel that begins a line");
    return text.substr(0, open + 2) + fmt::format("    if (threadIdx.x > {}) return;\n", 100000 + number) +
           text.substr(open + 2);
}

// Simulates another editor that writes the file; the window checks for changes five times a second.
void save_results(const std::string& what, const fs::path& file, test::Program& program, const Take& take)
{
    Result result{"edit to picture, " + what, "s", {}, 1.0, {}};
    const std::string text = text_of(file);
    std::this_thread::sleep_for(std::chrono::milliseconds(500)); // until the window checks for changes
    for (int i = 0; i < edits; ++i) {
        const std::string next = edited(text, i);
        const std::string row = fmt::format("version:{}", i + 2);
        const Clock::time_point begin = Clock::now();
        std::ofstream(file) << next;
        program.wait_for("the new version", [&](const test::Program::State& state) {
            return state.at("settled").get<bool>() && state.at("widgets").contains(row);
        });
        result.samples.push_back(since(begin));
    }
    take(std::move(result));
}

// Types a blank and Ctrl+Enter into the window.
void type_results(const std::string& what, test::Program& program, const test::Display& display, const Take& take)
{
    Result result{"typed to picture, " + what, "s", {}, 1.0, {}};
    program.press("O");
    program.wait_for("the editor",
                     [](const test::Program::State& state) { return state.at("widgets").contains("typing:source"); });
    for (int i = 0; i < edits; ++i) {
        const std::string row = fmt::format("version:{}", edits + i + 2);
        display.press_slowly("space");
        const Clock::time_point begin = Clock::now();
        program.press("Return", true);
        program.wait_for("the new version", [&](const test::Program::State& state) {
            return state.at("settled").get<bool>() && state.at("widgets").contains(row);
        });
        result.samples.push_back(since(begin));
    }
    take(std::move(result));
}

} // namespace

void edit_results(const Take& take)
{
    const test::Display display({1600, 1000});
    const std::vector<kernels::Stage> ladder = kernels::make_ladder();
    for (const char* kernel : {"transpose", "sgemm", "softmax", "histogram"}) {
        const kernels::TemporaryFolder folder;
        const fs::path file = folder / (std::string(kernel) + ".cu").c_str();
        fs::copy_file(test::data("cuda") / file.filename(), file);
        test::Program program(display, {"open", file.string(), "--backend", "cpu", "--view", "banks"});
        save_results(file.filename().string(), file, program, take);
        type_results(file.filename().string(), program, display, take);
    }
    for (const char* slug : {"naive", "vectorized", "swizzled", "warp_tile", "async_copy", "mma_ldmatrix"}) {
        const kernels::TemporaryFolder folder;
        const std::string name = std::string("my_") + slug;
        const fs::path file = folder / (name + ".cu").c_str();
        std::ofstream(file) << kernels::copied_stage(kernels::find_stage(ladder, slug), name);
        test::Program program(display, {"open", file.string(), "--backend", "cpu", "--view", "banks"},
                              {{"GEMMSCOPE_STAGES", folder.path().string()}});
        save_results(slug, file, program, take);
        type_results(slug, program, display, take);
    }
}

void trace_results(const Take& take)
{
    struct Traced {
        const char *kernel, *size;
        double goal;
    };
    // The last kernel executes 6.6 million warp instructions.
    for (const auto& [kernel, size, goal] :
         {Traced{"transpose", "", 3.0}, Traced{"sgemm", "", 3.0}, Traced{"softmax", "", 3.0},
          Traced{"histogram", "", 3.0}, Traced{"warpgroup", "", 3.0}, Traced{"sgemm_vectorized", "512", 0.5}}) {
        const fs::path file = test::data("cuda") / (std::string(kernel) + ".cu");
        const std::string text = text_of(file);
        traced::Request request;
        request.file = file;
        request.size = size;
        request = traced::with_facts_of_file(request, text);
        const traced::UserKernel user = ptx::kernel_of(request, text);
        const traced::CompiledKernel compiled = traced::compile(user);
        Result result{
            fmt::format("trace {}{}{}", file.filename().string(), *size == 0 ? "" : " at ", size), "s", {}, goal, {}};
        for (int i = 0; i < edits; ++i) {
            const Clock::time_point begin = Clock::now();
            ptx::trace(request, user, compiled, {});
            result.samples.push_back(since(begin));
        }
        take(std::move(result));
    }
}

} // namespace bench
