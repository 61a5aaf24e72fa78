#include "cuda/nvrtc.h"

#include "cuda/library.h"
#include "error.h"

#include <fmt/format.h>
#include <nvrtc.h>

#include <algorithm>

namespace cuda {

struct Nvrtc::Functions {
    explicit Functions(Library opened) : library(std::move(opened)) {}

    Library library;
#define NVRTC_FUNCTION(name) decltype(&::name) name = library.function<decltype(&::name)>(#name)
    NVRTC_FUNCTION(nvrtcVersion);
    NVRTC_FUNCTION(nvrtcGetErrorString);
    NVRTC_FUNCTION(nvrtcGetNumSupportedArchs);
    NVRTC_FUNCTION(nvrtcGetSupportedArchs);
    NVRTC_FUNCTION(nvrtcCreateProgram);
    NVRTC_FUNCTION(nvrtcDestroyProgram);
    NVRTC_FUNCTION(nvrtcAddNameExpression);
    NVRTC_FUNCTION(nvrtcCompileProgram);
    NVRTC_FUNCTION(nvrtcGetProgramLogSize);
    NVRTC_FUNCTION(nvrtcGetProgramLog);
    NVRTC_FUNCTION(nvrtcGetLoweredName);
    NVRTC_FUNCTION(nvrtcGetCUBINSize);
    NVRTC_FUNCTION(nvrtcGetCUBIN);
    NVRTC_FUNCTION(nvrtcGetPTXSize);
    NVRTC_FUNCTION(nvrtcGetPTX);
#undef NVRTC_FUNCTION

    void check(nvrtcResult result, const char* what) const
    {
        if (result != NVRTC_SUCCESS)
            throw kernels::Error(fmt::format("NVRTC could not {}: {}.", what, nvrtcGetErrorString(result)));
    }
};

namespace {

constexpr int oldest_major = 12; // the first version with C++20

// Tries the newest version first. A version newer than the driver generates code that the driver cannot load.
Library open_library(int newest_major)
{
    if (newest_major >= 13)
        return Library({"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"});
    return Library({"libnvrtc.so.12", "libnvrtc.so"});
}

} // namespace

Nvrtc::Nvrtc(int newest_major)
{
    Library library = open_library(newest_major);
    if (!library.found())
        throw kernels::Unavailable(
            fmt::format("NVRTC, CUDA's run-time compiler, is not installed, so stages cannot be compiled for the GPU; "
                        "install the package cuda-nvrtc-{} from NVIDIA's repository, or nvidia-cuda-toolkit from "
                        "Debian 13's or Ubuntu 24.04's own (non-free or multiverse).",
                        newest_major >= 13 ? "13-0" : "12-9"));
    nvrtc_ = std::make_unique<Functions>(std::move(library));
    nvrtc_->check(nvrtc_->nvrtcVersion(&major_, &minor_), "tell its version");
    if (major_ < oldest_major)
        throw kernels::Unavailable(fmt::format("NVRTC {} is too old: the stages are C++20, which needs NVRTC 12 or "
                                               "later; install the package cuda-nvrtc-13-0 from NVIDIA's repository.",
                                               version()));
    if (major_ > newest_major)
        throw kernels::Unavailable(fmt::format("NVRTC {} is newer than this driver, which knows CUDA {}; update the "
                                               "NVIDIA driver, or install cuda-nvrtc-12-9 from NVIDIA's repository.",
                                               version(), newest_major));
}

Nvrtc::~Nvrtc() = default;
Nvrtc::Nvrtc(Nvrtc&&) noexcept = default;
Nvrtc& Nvrtc::operator=(Nvrtc&&) noexcept = default;

std::string Nvrtc::version() const
{
    return fmt::format("{}.{}", major_, minor_);
}

std::vector<std::string> Nvrtc::options_for(int compute_capability) const
{
    int count = 0;
    nvrtc_->check(nvrtc_->nvrtcGetNumSupportedArchs(&count), "list the architectures that it knows");
    std::vector<int> known(count);
    nvrtc_->check(nvrtc_->nvrtcGetSupportedArchs(known.data()), "list the architectures that it knows");
    std::sort(known.begin(), known.end());
    const auto after = std::upper_bound(known.begin(), known.end(), compute_capability);
    if (after == known.begin())
        throw kernels::Unavailable(fmt::format("This GPU (sm_{}) is older than all that NVRTC {} compiles for (sm_{} "
                                               "and later); install an older NVRTC, from version 12 on.",
                                               compute_capability, version(), known.empty() ? 0 : known.front()));
    const int nearest = *(after - 1);
    const bool exact = nearest == compute_capability;
    const char* kind = exact ? "sm" : "compute"; // the driver compiles PTX itself
    // "a" enables the features that only this architecture has, such as WGMMA.
    const char* own = exact && compute_capability >= 90 ? "a" : "";
    // Makes functions without an execution space device functions. The bodies of kernels are lambdas, which have none.
    return {fmt::format("--gpu-architecture={}_{}{}", kind, nearest, own), "--std=c++20", "-lineinfo",
            "--device-as-default-execution-space"};
}

namespace {

// A program of NVRTC; the destructor destroys it.
template <class Functions>
class Compilation {
public:
    Compilation(const Functions& functions, const Program& program) : nvrtc(functions)
    {
        std::vector<std::string> texts; // views are not zero-terminated
        std::vector<const char*> names, sources;
        for (const Program::Header& header : program.headers)
            texts.emplace_back(header.text);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            names.push_back(program.headers[i].name.c_str());
            sources.push_back(texts[i].c_str());
        }
        nvrtc.check(nvrtc.nvrtcCreateProgram(&handle, program.text.c_str(), "gemmscope_program.cu",
                                             static_cast<int>(names.size()), sources.data(), names.data()),
                    "take in the program");
    }
    ~Compilation() { nvrtc.nvrtcDestroyProgram(&handle); }
    Compilation(const Compilation&) = delete;
    Compilation& operator=(const Compilation&) = delete;

    std::string log() const { return text(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog); }

    template <class Size, class Get>
    std::string text(Size size_of, Get get) const
    {
        std::size_t size = 0;
        nvrtc.check(size_of(handle, &size), "hand out its result");
        std::string result(size, '\0');
        if (size > 0)
            nvrtc.check(get(handle, result.data()), "hand out its result");
        return result;
    }

    const Functions& nvrtc;
    nvrtcProgram handle = nullptr;
};

} // namespace

Compiled Nvrtc::compile(const Program& program, const std::string& expression,
                        const std::vector<std::string>& options) const
{
    const Compilation compilation(*nvrtc_, program);
    if (!expression.empty())
        nvrtc_->check(nvrtc_->nvrtcAddNameExpression(compilation.handle, expression.c_str()),
                      "take in the kernel's name");
    std::vector<const char*> arguments;
    for (const std::string& option : options)
        arguments.push_back(option.c_str());
    const nvrtcResult result =
        nvrtc_->nvrtcCompileProgram(compilation.handle, static_cast<int>(arguments.size()), arguments.data());
    Compiled compiled;
    compiled.log = compilation.log();
    while (!compiled.log.empty() && (compiled.log.back() == '\0' || compiled.log.back() == '\n'))
        compiled.log.pop_back();
    if (result != NVRTC_SUCCESS)
        throw kernels::Error(fmt::format("The kernel {} does not compile ({}, NVRTC {}: {}). The compiler says:\n{}",
                                         expression, options.front(), version(), nvrtc_->nvrtcGetErrorString(result),
                                         compiled.log));
    if (!expression.empty()) {
        const char* lowered = nullptr;
        nvrtc_->check(nvrtc_->nvrtcGetLoweredName(compilation.handle, expression.c_str(), &lowered),
                      "tell the kernel's name");
        compiled.lowered_name = lowered;
    }
    const bool machine_code = options.front().find("=sm_") != std::string::npos;
    compiled.ptx = compilation.text(nvrtc_->nvrtcGetPTXSize, nvrtc_->nvrtcGetPTX);
    compiled.image = machine_code ? compilation.text(nvrtc_->nvrtcGetCUBINSize, nvrtc_->nvrtcGetCUBIN) : compiled.ptx;
    return compiled;
}

} // namespace cuda
