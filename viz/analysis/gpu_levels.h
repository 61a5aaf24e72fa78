// Which factors make a GPU's peak and bandwidth; the levels of its memory, with what is known of each, and where a stage's data lives. Pure
// functions.
#pragma once

#include "viz/analysis/roofline.h"

#include "recording/gpu.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace viz {

struct MemoryLevel {
    std::string name;       // "L2"
    uint64_t bytes = 0;     // 0: not known
    bool per_sm = false;    // else of the whole GPU
    bool published = false; // the size is NVIDIA's figure: the driver does not tell it
    std::optional<recording::Latency> latency;
    std::optional<Ceiling> bandwidth; // GB/s, of all SMs together
    std::string note;                 // what it is for
};

// Registers, shared memory, L1, L2, DRAM.
std::vector<MemoryLevel> memory_levels(const recording::GpuProperties& gpu, const recording::GpuMeasurement* measured);

// SMs of one group, in the order of the groups' first SMs; those that no cluster came to are last.
struct SmGroup {
    bool known = true; // false: no cluster came to these
    std::vector<uint32_t> sms;
};
std::vector<SmGroup> sm_groups(const recording::GpuProperties& gpu, const recording::GpuMeasurement* measured);

// What a stage keeps at each level.
struct StageData {
    uint64_t A = 0, B = 0, C = 0;    // bytes, at the size asked for
    uint64_t tile_bytes = 0;         // shared memory of a block, as the kernel asks
    uint64_t shared_of_block = 0;    // what an SM gives for it: rounded up, with what the system keeps
    uint32_t blocks = 1;             // resident on an SM; 1 where that is not known
    uint32_t registers = 0;          // of a thread; 0: not known
    uint32_t registers_of_block = 0; // what an SM gives for it: whole warps, rounded up; 0: not known
    double sums = 0;                 // elements of C per thread; 0: not known
    uint64_t operands() const { return A + B + C; }
    uint64_t register_bytes() const { return uint64_t{4} * registers_of_block * blocks; }
};
StageData stage_data(const recording::Recording& recording, const recording::Problem& problem);

// FP32 lanes of an SM, by compute capability: NVIDIA's published tables.
uint32_t lanes_of_sm(uint32_t compute_capability);

// As typed, or as NVIDIA publishes it.
struct TypedGpu {
    std::string name;
    uint32_t sms = 0, lanes = 0, clock_mhz = 0; // lanes: of one SM
    uint32_t bus_bits = 0, memory_mhz = 0;      // two transfers a clock

    double gflops() const; // SMs x lanes x 2 x clock: a multiplication and an addition
    double gbps() const;   // bytes per nanosecond
    double ridge() const;  // FLOP per byte; 0 without a bandwidth
    friend bool operator==(const TypedGpu&, const TypedGpu&) = default;
};

std::span<const TypedGpu> known_gpus();

TypedGpu typed_of(const recording::GpuProperties& gpu);

} // namespace viz
