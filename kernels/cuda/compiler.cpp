#include "cuda/compiler.h"

#include "heartbeat.h"

namespace cuda {

Compiler::Compiler(Nvrtc nvrtc, int compute_capability, CubinCache cache)
    : nvrtc_(std::move(nvrtc)), options_(nvrtc_.options_for(compute_capability)), cache_(std::move(cache))
{
}

Compiled Compiler::compile(const kernels::Stage& stage, const KernelName& name) const
{
    return compile(program_for(stage, name.probe), name.expression);
}

Compiled Compiler::compile(const Program& program, const std::string& expression) const
{
    const std::string key = CubinCache::key(program, expression, options_, "NVRTC " + version());
    if (std::optional<Compiled> cached = cache_.find(key))
        return std::move(*cached);
    const kernels::Heartbeat alive(sign_); // compiling a large kernel on a slow machine takes a minute or more
    Compiled compiled = nvrtc_.compile(program, expression, options_);
    cache_.store(key, compiled);
    return compiled;
}

Compiler ptx_compiler()
{
    Compiler compiler(Nvrtc(), ptx_capability);
    std::string& architecture = compiler.options_.front(); // for machine code: "--gpu-architecture=sm_90a"
    if (const std::size_t at = architecture.find("=sm_"); at != std::string::npos)
        architecture.replace(at, 4, "=compute_");
    return compiler;
}

} // namespace cuda
