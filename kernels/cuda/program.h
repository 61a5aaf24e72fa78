// The program that NVRTC compiles for a stage: its own file with all that it includes, from the embedded sources.
#pragma once

#include "cuda/nvrtc.h"
#include "stage.h"

namespace cuda {

// With the probes' definitions where the probe needs them.
Program program_for(const kernels::Stage& stage, kernels::ProbeKind probe);

// The kernel's name with its template arguments: "naive::naive<naive::Parameters{32}, CountProbe>".
std::string expression_for(const kernels::Stage& stage, const kernels::ParameterValues& parameters,
                           kernels::ProbeKind probe);

} // namespace cuda
