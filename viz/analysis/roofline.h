// Arithmetic intensity, the ceilings of a GPU, and how long a multiplication must take at least. Pure functions.
#pragma once

#include "recording/gpu.h"
#include "recording/recording.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

// What a launch computes, and the bytes that its requests to global memory move: recorded sectors of 32 bytes, counted at
// L1, over all blocks.
struct Traffic {
    recording::Problem problem;
    uint32_t element_bytes = 4; // of A and B
    double flops = 0;
    double operand_bytes = 0; // by loads of A and B
    double other_bytes = 0;   // by stores, and by loads of anything else
    bool complete = true;     // false: bulk copies move A and B; no lane asks for them, so none are counted
    bool told_apart = true;   // false: no block is in full to tell loads of A and B from others, and there are others
    // FLOP per byte. Work grows with M N K, and so do the loads of A and B; the rest grows with M N.
    double intensity_at(const recording::Problem& other) const;
    double bytes_at(const recording::Problem& other) const;
};
Traffic traffic_of(const recording::Recording& recording);

double flops_of(const recording::Problem& problem, bool vectors);
inline bool is_vector(const recording::Problem& problem)
{
    return problem.M == 1 && problem.K == 1;
}
bool adds_vectors(const recording::Recording& recording);

// The rectangle of C for which each value of A and B is fetched once per k: by a thread for itself, by a warp whose lanes
// pass values on, by a block that shares tiles.
struct ReuseTile {
    enum class Holder { thread, warp, block } holder = Holder::thread;
    uint32_t rows = 1, cols = 1;
    uint32_t element_bytes = 4;
    double intensity() const; // FLOP per byte: 2 rows cols / ((rows + cols) element_bytes)
};
std::string_view name_of(ReuseTile::Holder holder); // "thread"
// Nothing where A and B are not multiplied, or where nobody knows who owns C.
std::optional<ReuseTile> reuse_tile(const recording::Recording& recording);

// Where a stage stands on the intensity axis at a size: as recorded, or by formula where the recording cannot tell.
struct Intensity {
    double value = 0;
    bool recorded = true;
};
std::optional<Intensity> intensity_of(const std::optional<Traffic>& traffic, const std::optional<ReuseTile>& tile,
                                      const recording::Problem& problem);
// Whether the recording's matrices are smaller than the tile: what it moves is then not what larger ones make it move.
bool smaller_than_tile(const recording::Problem& recorded, const ReuseTile& tile);

// A limit of the GPU. `measured`: by a small kernel; else what its clocks and units allow.
struct Ceiling {
    double value = 0; // GB/s, or GFLOPS
    bool measured = false;
};
struct Ceilings {
    std::optional<Ceiling> dram, l2, l1, shared;
    struct Arithmetic {
        std::string type; // "fp32"
        Ceiling ceiling;
    };
    std::vector<Arithmetic> arithmetic;
    const Ceiling* of_type(std::string_view type) const; // null: not known
};
// `measured` null: nothing was.
Ceilings ceilings_of(const recording::GpuProperties& gpu, const recording::GpuMeasurement* measured);

// How long C = alpha A B + beta C must take at least: every value moved once, no multiplication done twice.
struct Floor {
    double bytes = 0, flops = 0;
    std::optional<double> memory_ms, arithmetic_ms; // nothing where the ceiling is not known
    std::optional<double> least_ms() const;         // the larger one; nothing unless both are known
    bool memory_bound() const { return memory_ms.value_or(0) > arithmetic_ms.value_or(0); }
};
Floor floor_of(const recording::Problem& problem, uint32_t element_bytes, bool vectors, const Ceiling* memory,
               const Ceiling* arithmetic);

} // namespace viz
