// Compiling stages for one GPU architecture, with a cache on disk in front of NVRTC.
#pragma once

#include "cuda/nvrtc.h"
#include "cuda/program.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cuda {

// Caches compiled kernels on disk, in $XDG_CACHE_HOME/gemmscope or ~/.cache/gemmscope.
class CubinCache {
public:
    CubinCache(); // uses the user's cache folder
    explicit CubinCache(std::filesystem::path folder);

    // Returns a key made of all that the result depends on: all source text, the kernel's name, the options, the
    // compiler.
    static std::string key(const Program& program, const std::string& expression,
                           const std::vector<std::string>& options, const std::string& compiler);

    // Returns nothing if there is no entry, or if the entry is damaged or larger than a compiled kernel can be.
    std::optional<Compiled> find(const std::string& key) const;

    // Writes the entry atomically. Failing to write is not an error: the kernel is compiled again next time.
    void store(const std::string& key, const Compiled& compiled) const;

private:
    std::filesystem::path file_of(const std::string& key) const;

    std::filesystem::path folder_;
};

// Compiles stages to machine code for one GPU architecture, with a cache in front of NVRTC.
class Compiler {
public:
    // Throws kernels::Unavailable like Nvrtc does.
    Compiler(Nvrtc nvrtc, int compute_capability, CubinCache cache = CubinCache());

    std::string version() const { return nvrtc_.version(); }

    // Sets a function that is called while NVRTC runs, as in kernels::Heartbeat. Call this before compile().
    void give_signs(std::function<void()> sign) { sign_ = std::move(sign); }

    // May be called from several threads at once. Throws kernels::Error with NVRTC's log.
    Compiled compile(const kernels::Stage& stage, const KernelName& name) const;
    Compiled compile(const Program& program, const std::string& expression) const;

private:
    friend Compiler ptx_compiler();
    Nvrtc nvrtc_;
    std::vector<std::string> options_;
    CubinCache cache_;
    std::function<void()> sign_;
};

// Returns a compiler for the PTX machine: it produces only PTX, for the newest architecture that the machine supports.
// Throws like Compiler().
Compiler ptx_compiler();
inline constexpr int ptx_capability = 90;

// Replacements for host headers, for files that include them and are compiled by NVRTC.

// Returns declarations that nvcc provides without any header and NVRTC does not.
std::string_view text_of_no_header();

// Returns the replacement headers. Most are empty; some declare what kernels use. `has_library` says whether the
// toolkit's C++ library (cuda/std) is available.
std::vector<Program::Header> host_headers(bool has_library);

} // namespace cuda
