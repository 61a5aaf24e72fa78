// Kernels as they are launched, those of a library beside those of the ladder: how they fill a GPU, and what a library's
// kernel says of itself by its name. Pure functions.
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

// What is launched for one multiplication.
struct KernelsAt {
    recording::Problem problem;
    std::vector<recording::LaunchedKernel> kernels; // in order
    recording::Provenance from;
};

// What a library launches, by precision and size.
struct LibraryKernels {
    struct Row {
        std::string slug; // "cublas_sgemm"
        std::string type; // of A and B: "fp32"
        KernelsAt at;
    };
    std::string device;
    uint32_t compute_capability = 0, sm_count = 0; // of that device; 0: not known
    std::vector<Row> rows;
    recording::Reasons missing; // why there are none, or why more were not traced here

    // Of the same sides, the scalars aside; null: not traced.
    const Row* find(std::string_view type, const recording::Problem& problem) const;
};

// The tile of C that a block makes, by the parameters of a rung or by the name of a library's kernel, which NVIDIA does not
// document: what is not plain stays unknown.
struct TileOfName {
    uint32_t rows = 0, cols = 0; // as the name has them; cuBLAS counts down the columns, so they may change places
    std::optional<uint32_t> depth, stages; // of K in one phase; phases under way
    friend bool operator==(const TileOfName&, const TileOfName&) = default;
};
std::optional<TileOfName> tile_in(std::string_view kernel_name);
std::optional<TileOfName> tile_in(const std::vector<recording::Parameter>& parameters);

// Without template arguments and types: "cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1::Params>" is
// "cutlass_80_simt_sgemm_256x128_8x4_nn_align1".
std::string short_name(std::string_view kernel_name);

// Adds up the parts that slices of K left, by its name.
bool reduces(std::string_view kernel_name);

struct Fill {
    uint64_t blocks = 0;
    uint32_t per_sm = 0; // resident at most
    double waves = 0;    // blocks over all that the GPU can hold at once; 0: not known
};
// Nothing where the GPU's limits are not known, or where no driver said how many registers the kernel needs.
std::optional<Fill> fill_of(const recording::LaunchedKernel& kernel, uint32_t compute_capability, uint32_t sm_count);

} // namespace viz
