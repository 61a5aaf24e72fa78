// The program that NVRTC compiles for a stage: its own file with all that it includes, from the embedded sources.
#pragma once

#include "cuda/nvrtc.h"
#include "stage.h"

namespace cuda {

// With the probes' definitions where the probe needs them.
Program program_for(const kernels::Stage& stage, kernels::ProbeKind probe);

// A kernel to compile for a stage.
struct KernelName {
    std::string expression;   // with template arguments: "naive::naive<naive::Parameters{32}, CountProbe>"
    kernels::ProbeKind probe; // the one in the expression
    uint32_t dynamic_shared;  // bytes per block
};

// What is launched, one after another: one kernel, or two. Only the first one is traced: where it runs with RecordProbe, the
// second runs plain.
std::vector<KernelName> kernels_for(const kernels::Stage& stage, const kernels::ParameterValues& parameters,
                                    kernels::ProbeKind probe);

} // namespace cuda
