#include "cuda/compiler.h"

#include "cuda/program.h"

namespace cuda {

Compiler::Compiler(Nvrtc nvrtc, int compute_capability, CubinCache cache)
    : nvrtc_(std::move(nvrtc)), options_(nvrtc_.options_for(compute_capability)), cache_(std::move(cache))
{
}

Compiled Compiler::compile(const kernels::Stage& stage, const kernels::ParameterValues& parameters,
                           kernels::ProbeKind probe) const
{
    const Program program = program_for(stage, probe);
    const std::string expression = expression_for(stage, parameters, probe);
    const std::string key = CubinCache::key(program, expression, options_, "NVRTC " + version());
    if (std::optional<Compiled> cached = cache_.find(key))
        return std::move(*cached);
    Compiled compiled = nvrtc_.compile(program, expression, options_);
    cache_.store(key, compiled);
    return compiled;
}

} // namespace cuda
