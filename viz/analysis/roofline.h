// Arithmetic intensity, the ceilings of a GPU, and the minimum time of a multiplication. Pure functions.
#pragma once

#include "recording/gpu.h"
#include "recording/recording.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

// The work of a launch and the bytes that its requests to global memory move over all blocks. Bytes are counted at L1
// in sectors of 32 bytes.
struct Traffic {
    recording::Problem problem;
    uint32_t element_bytes = 4; // of A and B
    double flops = 0;
    double operand_bytes = 0; // moved by loads of A and B
    double other_bytes = 0;   // moved by stores and by all other loads
    bool complete = true;     // false if bulk copies move A and B, whose bytes are then not counted
    // False if other loads exist and no block is recorded in full, so that loads of A and B cannot be separated from
    // them.
    bool told_apart = true;
    // Scale to another size: FLOP and loads of A and B grow with M N K, other traffic with M N. intensity_at() returns
    // FLOP per byte.
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

// The rectangle of C in which each fetched value of A and B is reused. A thread fetches values for itself, a warp
// passes them on between lanes, a block shares tiles.
struct ReuseTile {
    enum class Holder { thread, warp, block } holder = Holder::thread;
    uint32_t rows = 1, cols = 1;
    uint32_t element_bytes = 4;
    double intensity() const; // FLOP per byte: 2 rows cols / ((rows + cols) element_bytes)
};
std::string_view name_of(ReuseTile::Holder holder); // "thread"
// Returns nothing if A and B are not multiplied, or if the owners of C are not known.
std::optional<ReuseTile> reuse_tile(const recording::Recording& recording);

// The arithmetic intensity of a stage at a size: recorded, or by a formula if the recording lacks it.
struct Intensity {
    double value = 0;
    bool recorded = true;
};
std::optional<Intensity> intensity_of(const std::optional<Traffic>& traffic, const std::optional<ReuseTile>& tile,
                                      const recording::Problem& problem);
// Returns whether the recording's matrices are smaller than the tile. Their traffic is then not typical of larger ones.
bool smaller_than_tile(const recording::Problem& recorded, const ReuseTile& tile);

// A limit of the GPU: measured by a small kernel, or computed from its clocks and units.
struct Ceiling {
    double value = 0; // GB/s or GFLOPS
    bool measured = false;
};
// The ceilings of a GPU's memories and of its arithmetic by element type. Empty if not known.
struct Ceilings {
    std::optional<Ceiling> dram, l2, l1, shared;
    struct Arithmetic {
        std::string type; // "fp32"
        Ceiling ceiling;
    };
    std::vector<Arithmetic> arithmetic;
    const Ceiling* of_type(std::string_view type) const; // null if not known
};
// `measured` is null if nothing was measured.
Ceilings ceilings_of(const recording::GpuProperties& gpu, const recording::GpuMeasurement* measured);

// The minimum time of C = alpha A B + beta C: every value moves once, and every multiplication is done once.
struct Floor {
    double bytes = 0, flops = 0;
    std::optional<double> memory_ms, arithmetic_ms; // empty if the ceiling is not known
    std::optional<double> least_ms() const;         // the longer time; empty unless both are known
    bool memory_bound() const { return memory_ms.value_or(0) > arithmetic_ms.value_or(0); }
};
Floor floor_of(const recording::Problem& problem, uint32_t element_bytes, bool vectors, const Ceiling* memory,
               const Ceiling* arithmetic);

} // namespace viz
