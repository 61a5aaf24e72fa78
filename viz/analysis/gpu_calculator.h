// Which factors make a GPU's peak and bandwidth, and where the two meet. Pure functions.
#pragma once

#include "recording/gpu.h"

#include <cstdint>
#include <span>
#include <string>

namespace viz {

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
