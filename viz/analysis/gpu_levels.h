// The factors of a GPU's peak and bandwidth, the levels of its memory, and where a stage's data resides. Pure
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

// One level of a GPU's memory.
struct MemoryLevel {
    std::string name;       // "L2"
    uint64_t bytes = 0;     // 0 if not known
    bool per_sm = false;    // false: shared by the whole GPU
    bool published = false; // the size is NVIDIA's published value, because the driver does not report it
    std::optional<recording::Latency> latency;
    std::optional<Ceiling> bandwidth; // GB/s, of all SMs together
    std::string note;                 // what it is used for
};

// Returns registers, shared memory, L1, L2 and DRAM.
std::vector<MemoryLevel> memory_levels(const recording::GpuProperties& gpu, const recording::GpuMeasurement* measured);

// SMs of one group. Groups are ordered by their first SM; SMs without a known group come last.
struct SmGroup {
    bool known = true; // false: no cluster ran on these SMs, so their group is not known
    std::vector<uint32_t> sms;
};
std::vector<SmGroup> sm_groups(const recording::GpuProperties& gpu, const recording::GpuMeasurement* measured);

// The data of a stage at each memory level.
struct StageData {
    uint64_t A = 0, B = 0, C = 0; // bytes, at the given problem size
    uint64_t tile_bytes = 0;      // shared memory of a block, as requested by the kernel
    // Shared memory that an SM allocates for a block: rounded up, plus the system's share.
    uint64_t shared_of_block = 0;
    uint32_t blocks = 1;    // resident on an SM; 1 if not known
    uint32_t registers = 0; // per thread; 0 if not known
    // Registers that an SM allocates for a block: whole warps, rounded up. 0 if not known.
    uint32_t registers_of_block = 0;
    double sums = 0; // elements of C that a thread computes; 0 if not known
    uint64_t operands() const { return A + B + C; }
    uint64_t register_bytes() const { return uint64_t{4} * registers_of_block * blocks; }
};
StageData stage_data(const recording::Recording& recording, const recording::Problem& problem);

// Returns the number of FP32 lanes of an SM, from NVIDIA's published tables by compute capability.
uint32_t lanes_of_sm(uint32_t compute_capability);

// A GPU as typed by the user or as published by NVIDIA.
struct TypedGpu {
    std::string name;
    uint32_t sms = 0, lanes = 0, clock_mhz = 0; // lanes: per SM
    uint32_t bus_bits = 0, memory_mhz = 0;      // the memory makes two transfers per clock
    std::string source = {};                    // publication of the numbers; empty: from the driver, or typed

    double gflops() const; // SMs x lanes x clock x 2, for a multiplication and an addition
    double gbps() const;   // bytes per nanosecond
    double ridge() const;  // FLOP per byte; 0 without a bandwidth
    friend bool operator==(const TypedGpu&, const TypedGpu&) = default;
};

std::span<const TypedGpu> known_gpus();

TypedGpu typed_of(const recording::GpuProperties& gpu);

} // namespace viz
