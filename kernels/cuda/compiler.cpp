#include "cuda/compiler.h"

namespace cuda {

Compiler::Compiler(Nvrtc nvrtc, int compute_capability, CubinCache cache)
    : nvrtc_(std::move(nvrtc)), options_(nvrtc_.options_for(compute_capability)), cache_(std::move(cache))
{
}

Compiled Compiler::compile(const kernels::Stage& stage, const KernelName& name) const
{
    const Program program = program_for(stage, name.probe);
    const std::string key = CubinCache::key(program, name.expression, options_, "NVRTC " + version());
    if (std::optional<Compiled> cached = cache_.find(key))
        return std::move(*cached);
    Compiled compiled = nvrtc_.compile(program, name.expression, options_);
    cache_.store(key, compiled);
    return compiled;
}

} // namespace cuda
