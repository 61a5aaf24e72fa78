#include "viz/analysis/gpu_levels.h"

#include "viz/analysis/occupancy.h"
#include "viz/analysis/ownership.h"
#include "viz/analysis/waits.h"

#include <algorithm>
#include <array>
#include <map>

namespace viz {

namespace {

// Returns the size per SM of the memory that L1 and shared memory share, as published by NVIDIA.
uint64_t l1_and_shared(uint32_t compute_capability)
{
    switch (compute_capability) {
    case 75: return 96 * 1024;
    case 70:
    case 86:
    case 89: return 128 * 1024;
    case 80: return 192 * 1024;
    case 90: return 256 * 1024;
    default: return 0;
    }
}

// Returns the shortest latency for sizes that fit the level and no level closer to the SM.
std::optional<recording::Latency> shortest(const std::vector<recording::Latency>& all, uint64_t least, uint64_t most)
{
    std::optional<recording::Latency> best;
    for (const recording::Latency& one : all)
        if (one.bytes >= least && one.bytes <= most && (!best || one.cycles < best->cycles))
            best = one;
    return best;
}

} // namespace

std::vector<MemoryLevel> memory_levels(const recording::GpuProperties& gpu, const recording::GpuMeasurement* measured)
{
    const Ceilings ceilings = ceilings_of(gpu, measured);
    const uint64_t l1 = l1_and_shared(gpu.compute_capability);
    const MemoryLevel registers{.name = "registers",
                                .bytes = uint64_t{4} * gpu.registers_per_sm,
                                .per_sm = true,
                                .note = "operands of every instruction"};
    MemoryLevel shared{
        .name = "shared memory", .bytes = gpu.shared_bytes_per_sm, .per_sm = true, .note = "what blocks put there"};
    MemoryLevel first{.name = "L1",
                      .bytes = l1,
                      .per_sm = true,
                      .published = true,
                      .note = "one memory with shared memory, what that leaves"};
    MemoryLevel second{.name = "L2", .bytes = gpu.l2_bytes, .bandwidth = ceilings.l2, .note = "of all SMs"};
    MemoryLevel dram{.name = "DRAM", .bytes = gpu.memory_bytes, .bandwidth = ceilings.dram, .note = "A, B and C"};
    if (measured != nullptr) {
        shared.latency = measured->shared_latency;
        shared.bandwidth = ceilings.shared;
        first.latency = shortest(measured->latency, 0, 16 * 1024);
        first.bandwidth = ceilings.l1;
        second.latency = shortest(measured->latency, std::max<uint64_t>(4 * l1, 1 << 20), gpu.l2_bytes / 2);
        if (const auto farthest = farthest_latency(*measured); farthest && farthest->bytes >= 8 * gpu.l2_bytes)
            dram.latency = farthest;
    }
    return {registers, shared, first, second, dram};
}

std::vector<SmGroup> sm_groups(const recording::GpuProperties& gpu, const recording::GpuMeasurement* measured)
{
    if (measured == nullptr || measured->group_of_sm.size() != gpu.sm_count)
        return {};
    std::map<uint32_t, std::vector<uint32_t>> by_group;
    for (uint32_t sm = 0; sm < gpu.sm_count; ++sm)
        by_group[measured->group_of_sm[sm]].push_back(sm);
    std::vector<SmGroup> groups;
    SmGroup unknown{.known = false};
    for (auto& [group, sms] : by_group)
        // If the group has one SM, no cluster of two or more blocks ran there.
        if (group == recording::no_group || sms.size() == 1)
            unknown.sms.insert(unknown.sms.end(), sms.begin(), sms.end());
        else
            groups.push_back({true, std::move(sms)});
    if (!unknown.sms.empty())
        groups.push_back(std::move(unknown));
    return groups;
}

StageData stage_data(const recording::Recording& recording, const recording::Problem& problem)
{
    StageData data;
    const double M = problem.M, N = problem.N, K = problem.K;
    const auto bytes = [&](std::size_t array, double elements) {
        return array < recording.arrays.size() && recording.arrays[array].rows > 0
                   ? static_cast<uint64_t>(elements * recording.arrays[array].element_bytes)
                   : 0;
    };
    const bool vectors = adds_vectors(recording);
    data.A = bytes(0, vectors ? N : M * K);
    data.B = bytes(1, vectors ? N : K * N);
    data.C = bytes(2, M * N);
    const SmLimits limits = limits_of(recording.device.compute_capability).value_or(SmLimits());
    const KernelNeeds needs = needs_of(recording);
    data.tile_bytes = needs.shared_bytes;
    data.shared_of_block = use_of(limits, needs, Limit::shared).per_block;
    if (recording.resources) {
        data.registers = needs.registers;
        data.registers_of_block = use_of(limits, needs, Limit::registers).per_block;
        data.blocks = std::max(1u, blocks_per_sm(recording).value().value_or(0));
    }
    if (needs.threads > 0 && !recording.owner.empty())
        data.sums = static_cast<double>(cells_of_block(recording, 0).size()) / needs.threads;
    return data;
}

namespace {

// Columns: SMs, lanes, highest clock, bus, memory clock.
const std::array<TypedGpu, 8> published = {
    {{"H100 SXM", 132, 128, 1980, 5120, 2619, "NVIDIA's H100 white paper"},
     {"A100 80 GB", 108, 64, 1410, 5120, 1593, "NVIDIA's A100 data sheet"},
     {"V100 SXM2", 80, 64, 1530, 4096, 877, "NVIDIA's V100 data sheet"},
     {"RTX 4090", 128, 128, 2520, 384, 10501, "NVIDIA's Ada white paper"},
     {"RTX 5070 Ti", 70, 128, 2452, 256, 14000, "NVIDIA's RTX Blackwell white paper"},
     {"RTX 3090", 82, 128, 1695, 384, 9751, "NVIDIA's GA102 white paper"},
     {"RTX A6000", 84, 128, 1800, 384, 8000, "NVIDIA's RTX A6000 data sheet"},
     {"T4", 40, 64, 1590, 256, 5001, "NVIDIA's T4 data sheet"}}};

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
