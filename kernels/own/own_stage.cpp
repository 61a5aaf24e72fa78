#include "own/own_stage.h"

#include "error.h"
#include "own/compiler.h"
#include "own/copy.h"
#include "own/device_bodies.h"
#include "recording/disk.h"
#include "traced/words.h"

#include <dlfcn.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <future>
#include <map>
#include <mutex>
#include <span>

namespace kernels {

namespace {

namespace fs = std::filesystem;

// What both libraries of a stage begin with; precompiled. `compiled` is the library's own: see below.
constexpr std::string_view common = R"(#pragma once
#define GEMMSCOPE_OWN
#include "device/gemm.h"
#include "device/async_tiles.h"
#include "describe.h"
)";

// The names of the file are hidden: those of the program, of other stages and of the versions before are others, though they
// may be called the same.
constexpr std::string_view description = R"(#pragma GCC visibility push(hidden)
template <const auto& variants, class Get>
std::span<const cpu::Kernel> compiled(Get) {{ return {{}}; }}
#include "{0}.cu"
#pragma GCC visibility pop
extern "C" kernels::Stage* gemmscope_stage() {{ return new kernels::Stage(kernels::make_stage(::{0}::info(), "{0}.cu")); }}
)";

// The traced form alone, in which it is verified too: the plain one is the same kernel once more to compile. Where GCC can
// tell whose call of compiled() it is, info() and what it needs are not made into code: with both a kernel of `swizzled`
// takes 0.31 s of a processor (AMD EPYC, g++ 12, 2026-11-22) instead of 0.62 s.
constexpr std::string_view kernel = R"(#pragma GCC visibility push(hidden)
static const cpu::Kernel* found = nullptr;
template <const auto& one, class Get>
struct Compiled {{
    static constexpr cpu::ThreadBody body = &kernels::Thread<Get{{}}.template operator()<one[0], cpu::TraceProbe>()>::run;
    static constexpr cpu::Kernel kernel{{body, body}};
    static inline const bool here = (found = &kernel) != nullptr;
}};
template <const auto& variants, class Get>
std::span<const cpu::Kernel> compiled(Get)
{{
#ifdef GEMMSCOPE_OWN_BY_INFO
    constexpr bool own = true;
#else
    constexpr std::string_view self = __PRETTY_FUNCTION__;
    constexpr bool own = self.find("Get = {0}::info()::") != self.npos;
#endif
    if constexpr (own) {{
        static constexpr std::remove_cvref_t<decltype(variants[0])> one[] = {{{1}}};
        (void)Compiled<one, Get>::here;
        return {{&Compiled<one, Get>::kernel, 1}};
    }}
    return {{}};
}}
#include "{0}.cu"
#pragma GCC visibility pop
extern "C" const cpu::Kernel* gemmscope_kernel(int number)
{{
#ifdef GEMMSCOPE_OWN_BY_INFO
    const auto info = ::{0}::info();
    const std::span<const cpu::Kernel> first = info.on_cpu;
    if (number == 0)
        return first.empty() ? nullptr : &first[0];
    return info.second && !info.second->on_cpu.empty() ? &info.second->on_cpu[0] : nullptr;
#else
    return number == 0 ? found : nullptr;
#endif
}}
)";

// Of two kernels info() says which is the second; clang does not name the function whose lambda it is.
constexpr std::string_view by_info = "#define GEMMSCOPE_OWN_BY_INFO\n",
                           by_info_of_clang = "#ifdef __clang__\n#define GEMMSCOPE_OWN_BY_INFO\n#endif\n";

// Loaded for good: kernels of it may run on other threads until the process ends.
void* load(const fs::path& library, const char* function)
{
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* found = handle == nullptr ? nullptr : dlsym(handle, function);
    if (found == nullptr)
        throw Error(fmt::format("What the compiler made of the stage cannot be loaded: {}.", dlerror()));
    return found;
}

using MakeStage = Stage* (*)();
using FindKernel = const cpu::Kernel* (*)(int);

// Of one version of a file: its kernels, compiled when they are first wanted.
class OwnKernels {
public:
    OwnKernels(std::string name, std::shared_ptr<const std::string> text)
        : name_(std::move(name)), text_(std::move(text))
    {
    }

    const cpu::Kernel* find(const ParameterValues& values, int number)
    {
        const std::lock_guard lock(mutex_);
        const auto known = found_.find(values);
        const FindKernel kernels = known != found_.end() ? known->second : compile(values);
        return kernels(number);
    }

    // The standard parameters, of which the values are not known before the description is compiled.
    void take_standard(const ParameterValues& values, FindKernel kernels) { found_[values] = kernels; }

    FindKernel compile_standard() const { return compile("variants[0]"); }

private:
    FindKernel compile(const ParameterValues& values)
    {
        return found_[values] = compile(fmt::format("{{{}}}", fmt::join(values, ", ")));
    }

    FindKernel compile(const std::string& one) const
    {
        const bool has_second = text_->find("SecondKernel") != std::string::npos;
        const std::string wrapper =
            std::string(has_second ? by_info : by_info_of_clang) + fmt::format(fmt::runtime(kernel), name_, one);
        const fs::path library = own::library(name_, *text_, wrapper, common);
        return reinterpret_cast<FindKernel>(load(library, "gemmscope_kernel"));
    }

    std::string name_;
    std::shared_ptr<const std::string> text_;
    std::mutex mutex_;
    std::map<ParameterValues, FindKernel> found_;
};

// Without the kernel's body, which it does not need: then it is there already where only that has changed.
fs::path description_of(const std::string& name, const std::string& text)
{
    const std::string wrapper = fmt::format(fmt::runtime(description), name);
    try {
        return own::library(name, own::without_device_bodies(text), wrapper, common);
    } catch (const Unavailable&) {
        throw;
    } catch (const Error&) { // the whole of it says where it is wrong
        return own::library(name, text, wrapper, common);
    }
}

void require_consistent(const Stage& stage, const std::string& name)
{
    if (stage.slug != name)
        throw Error(fmt::format("{0}.cu describes a stage '{1}'; .slug must be \"{0}\", as the file is called.", name,
                                stage.slug));
    if (!stage.refusal || !stage.launch)
        throw Error(fmt::format("{}.cu must give .refusal and .launch in its info().", name));
    if (const std::string why = stage.refusal(stage.standard_parameters()); !why.empty())
        throw Error(
            fmt::format("{}.cu refuses its own standard parameters, the first of its variants: {}.", name, why));
}

// The name becomes part of what is compiled, where other characters could bring in code that the text has not.
void require_name(const std::string& name)
{
    const bool begins = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
    if (!begins || !std::ranges::all_of(name, traced::is_word))
        throw Error(
            fmt::format("A stage is called as its file, and '{}' is no name in C++: rename the file to letters, "
                        "digits and underscores, such as my_tile.cu.",
                        name));
}

Stage compiled_stage(const std::string& name, const std::string& text)
{
    const auto kept = std::make_shared<const std::string>(text);
    const auto kernels = std::make_shared<OwnKernels>(name, kept);
    // Both at once: the second takes its time on another core. What is wrong in the file, the first says as well.
    std::future<FindKernel> standard =
        std::async(std::launch::async, [kernels] { return kernels->compile_standard(); });
    const fs::path library = description_of(name, text);
    const auto make = reinterpret_cast<MakeStage>(load(library, "gemmscope_stage"));
    Stage stage = *std::unique_ptr<Stage>(make());
    require_consistent(stage, name);
    kernels->take_standard(stage.standard_parameters(), standard.get());
    stage.text = kept;
    stage.cpu_variants = {stage.standard_parameters()};
    stage.cpu_kernel = [kernels](const ParameterValues& values) { return kernels->find(values, 0); };
    if (stage.second)
        stage.second->cpu_kernel = [kernels](const ParameterValues& values) { return kernels->find(values, 1); };
    return stage;
}

} // namespace

bool is_stage_file(std::string_view text)
{
    return text.find("StageInfo<") != std::string_view::npos;
}

Stage load_own_stage(const std::string& name, const std::string& text, HostCode host_code)
{
    require_name(name);
    if (host_code == HostCode::refused) {
        if (std::optional<Stage> copy = own::copy_of_rung(name, text))
            return *copy;
        throw Error(fmt::format("{0}.cu has host code of its own, which runs with all your rights and is not allowed "
                                "yet. Read it, then press \"Run the program\" in the window, or give --run-host on the "
                                "command line. Its kernel runs without it only where the file is a copy of a rung in "
                                "which nothing but the bodies of kernels was changed.",
                                name));
    }
    try {
        return compiled_stage(name, text);
    } catch (const Unavailable& missing) {
        if (std::optional<Stage> copy = own::copy_of_rung(name, text))
            return *copy;
        throw Unavailable(fmt::format("{} Without one a stage can run (as PTX, by NVRTC) only where it is a copy of a "
                                      "rung in which nothing but the bodies of its kernel were changed.",
                                      missing.what()));
    }
}

void compile_for_cpu(const Stage& stage, const ParameterValues& values)
{
    stage.cpu_kernel(values);
}

std::vector<fs::path> own_stage_files(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->path().extension() == ".cu" && at->path().filename().string().front() != '.')
            files.push_back(at->path());
    std::ranges::sort(files);
    return files;
}

std::vector<Stage> ladder_with_own(const fs::path& folder, std::vector<std::string>& problems)
{
    std::vector<Stage> ladder = make_ladder();
    for (const fs::path& file : own_stage_files(folder)) {
        const std::string name = file.stem().string();
        try {
            const std::string text = recording::read_whole(file, recording::largest_source);
            if (!is_stage_file(text)) // another kernel, which is traced
                continue;
            if (std::ranges::find(ladder, name, &Stage::slug) != ladder.end())
                throw Error(fmt::format("The ladder has a stage {} already; give the file another name.", name));
            ladder.push_back(load_own_stage(name, text, HostCode::allowed));
        } catch (const Error& error) {
            problems.push_back(fmt::format("{} is left out. {}", file.string(), error.what()));
        }
    }
    return ladder;
}

} // namespace kernels
