// Compiles stages to machine code for one GPU architecture, with a cache in front of NVRTC.
#pragma once

#include "cuda/cubin_cache.h"
#include "cuda/nvrtc.h"
#include "cuda/program.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace cuda {

class Compiler {
public:
    // Throws kernels::Unavailable like Nvrtc does.
    Compiler(Nvrtc nvrtc, int compute_capability, CubinCache cache = CubinCache());

    std::string version() const { return nvrtc_.version(); }

    // Sets a function that is called while NVRTC runs, as in kernels::Heartbeat; it is not called for cache hits. Call
    // this before compile().
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

} // namespace cuda
