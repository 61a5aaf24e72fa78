// The program that NVRTC compiles for a stage: its own file with all that it includes, from the embedded sources.
#pragma once

#include "cuda/nvrtc.h"
#include "stage.h"

namespace cuda {

// With the probes' definitions where the probe needs them.
Program program_for(const kernels::Stage& stage, kernels::ProbeKind probe);

// The same with a probe that is none of these kinds: "device/clock_probe.h" has it.
Program program_with(const kernels::Stage& stage, std::string_view probe_file);
inline constexpr std::string_view clock_probe_file = "device/clock_probe.h";
inline constexpr std::string_view watch_probe_file = "device/watch_probe.h";
std::string clock_expression(const kernels::Stage& stage, const kernels::ParameterValues& parameters);

// One embedded file alone, with what it includes.
Program program_for_file(std::string_view file);

// The kernels that measure a GPU of this compute capability, as NVRTC takes them.
inline constexpr std::string_view microbenchmarks_file = "device/microbenchmarks.h";
inline constexpr unsigned cluster_sizes[] = {8, 7, 6, 5, 4, 3, 2}; // one joins what another keeps apart
std::vector<std::string> microbenchmark_kernels(int compute_capability);

// A kernel to compile for a stage.
struct KernelName {
    std::string expression;   // with template arguments: "naive::naive<naive::Parameters{32}, CountProbe>"
    kernels::ProbeKind probe; // the one in the expression
    uint32_t dynamic_shared;  // bytes per block
    std::string version = {}; // of a person's own stage: what tells its text from others
    std::string key() const { return expression + version; }
};

// What is launched, one after another: one kernel, or two. The second is counted, and else runs plain: only the first one is
// traced and placed.
std::vector<KernelName> kernels_for(const kernels::Stage& stage, const kernels::ParameterValues& parameters,
                                    kernels::ProbeKind probe);

} // namespace cuda
