// Kernels launched by the ladder and by libraries: how they fill a GPU, and what the names of a library's kernels
// reveal. Pure functions.
#pragma once

#include "recording/launched.h"
#include "recording/measured.h"
#include "recording/recording.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

// The kernels launched for one multiplication.
struct KernelsAt {
    recording::Problem problem;
    std::vector<recording::LaunchedKernel> kernels; // in launch order
    recording::Provenance from;
};

// The kernels that a library launches, by precision and size.
struct LibraryKernels {
    struct Row {
        std::string slug; // "cublas_sgemm"
        std::string type; // element type of A and B: "fp32"
        KernelsAt at;
    };
    std::string device;
    uint32_t compute_capability = 0, sm_count = 0; // of that GPU; 0 if not known
    std::vector<Row> rows;
    recording::Reasons missing; // why there are no rows, or why some were not traced on this machine

    // Returns the row for the same M, N and K, or null if it was not traced.
    const Row* find(std::string_view type, const recording::Problem& problem) const;
};

// The tile of C that a block computes, from a rung's parameters or from the name of a library's kernel. NVIDIA does not
// document these names, so uncertain values stay unknown.
struct TileOfName {
    uint32_t rows = 0, cols = 0;           // as in the name; cuBLAS is column-major, so they may be exchanged
    std::optional<uint32_t> depth, stages; // k per phase; number of phases in flight
    friend bool operator==(const TileOfName&, const TileOfName&) = default;
};
std::optional<TileOfName> tile_in(std::string_view kernel_name);
std::optional<TileOfName> tile_in(const std::vector<recording::Parameter>& parameters);

// Returns the name without template arguments and types:
// "cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1::Params>" becomes
// "cutlass_80_simt_sgemm_256x128_8x4_nn_align1".
std::string short_name(std::string_view kernel_name);

// Returns whether, by its name, the kernel sums the partial results of slices of K.
bool reduces(std::string_view kernel_name);

// How a launch fills a GPU.
struct Fill {
    uint64_t blocks = 0;
    uint32_t per_sm = 0; // maximum number of resident blocks
    double waves = 0;    // blocks of the launch over the blocks that the GPU holds at once; 0 if not known
};
// Returns nothing if the GPU's limits are not known, or if the kernel's register count was not reported by a driver.
std::optional<Fill> fill_of(const recording::LaunchedKernel& kernel, uint32_t compute_capability, uint32_t sm_count);

} // namespace viz
