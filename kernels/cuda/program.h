// The program that NVRTC compiles for a stage: its file and everything that it includes, from the embedded sources.
#pragma once

#include "cuda/nvrtc.h"
#include "stage.h"

namespace cuda {

// Also includes the definitions of the probe if it needs any.
Program program_for(const kernels::Stage& stage, kernels::ProbeKind probe);

// Does the same for a probe that is not a ProbeKind. `probe_file` ("device/clock_probe.h") defines it.
Program program_with(const kernels::Stage& stage, std::string_view probe_file);
inline constexpr std::string_view clock_probe_file = "device/clock_probe.h";
inline constexpr std::string_view watch_probe_file = "device/watch_probe.h";
std::string clock_expression(const kernels::Stage& stage, const kernels::ParameterValues& parameters);

// Returns one embedded file with everything that it includes.
Program program_for_file(std::string_view file);

// The kernels that measure a GPU of this compute capability, as NVRTC expressions.
inline constexpr std::string_view microbenchmarks_file = "device/microbenchmarks.h";
// Cluster sizes for measuring which SMs form a group. One size alone can miss that two SMs belong together.
inline constexpr unsigned cluster_sizes[] = {8, 7, 6, 5, 4, 3, 2};
std::vector<std::string> microbenchmark_kernels(int compute_capability);

// A kernel to compile for a stage.
struct KernelName {
    std::string expression;   // with template arguments: "naive::naive<naive::Parameters{32}, CountProbe>"
    kernels::ProbeKind probe; // the probe in the expression
    uint32_t dynamic_shared;  // bytes per block
    std::string version = {}; // for a user's own stage: distinguishes its text from other versions
    std::string key() const { return expression + version; }
};

// Returns the kernels that a stage launches in order: one or two. The second kernel gets CountProbe when counting,
// otherwise NoProbe: only the first kernel is traced and placed.
std::vector<KernelName> kernels_for(const kernels::Stage& stage, const kernels::ParameterValues& parameters,
                                    kernels::ProbeKind probe);

} // namespace cuda
