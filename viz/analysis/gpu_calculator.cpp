#include "viz/analysis/gpu_calculator.h"

#include <array>

namespace viz {

namespace {

// SMs, lanes, highest clock, bus, memory clock: NVIDIA's white papers and data sheets.
const std::array<TypedGpu, 6> published = {{{"H100 SXM", 132, 128, 1980, 5120, 2619},
                                            {"A100 80 GB", 108, 64, 1410, 5120, 1593},
                                            {"V100 SXM2", 80, 64, 1530, 4096, 877},
                                            {"RTX 4090", 128, 128, 2520, 384, 10501},
                                            {"RTX 3090", 82, 128, 1695, 384, 9751},
                                            {"T4", 40, 64, 1590, 256, 5001}}};

} // namespace

uint32_t lanes_of_sm(uint32_t compute_capability)
{
    return compute_capability <= 80 ? 64 : 128;
}

double TypedGpu::gflops() const
{
    return 2e-3 * sms * lanes * clock_mhz;
}

double TypedGpu::gbps() const
{
    return 2e-3 * memory_mhz * bus_bits / 8;
}

double TypedGpu::ridge() const
{
    return gbps() > 0 ? gflops() / gbps() : 0;
}

std::span<const TypedGpu> known_gpus()
{
    return published;
}

TypedGpu typed_of(const recording::GpuProperties& gpu)
{
    return {gpu.name,
            gpu.sm_count,
            lanes_of_sm(gpu.compute_capability),
            gpu.clock_khz / 1000,
            gpu.memory_bus_bits,
            gpu.memory_clock_khz / 1000};
}

} // namespace viz
