#include "viz/analysis/gpu_levels.h"

#include "viz/analysis/latency.h"
#include "viz/analysis/occupancy.h"
#include "viz/analysis/ownership.h"

#include <algorithm>
#include <map>

namespace viz {

namespace {

// L1 and shared memory are one memory; its size per SM as NVIDIA publishes it.
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

// The shortest of those that fit the level and no nearer one.
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
    MemoryLevel registers{.name = "registers", .bytes = uint64_t{4} * gpu.registers_per_sm, .per_sm = true};
    registers.note = "operands of every instruction";
    MemoryLevel shared{.name = "shared memory", .bytes = gpu.shared_bytes_per_sm, .per_sm = true};
    shared.note = "what blocks put there";
    MemoryLevel first{.name = "L1", .bytes = l1, .per_sm = true, .published = true};
    first.note = "one memory with shared memory, what that leaves";
    MemoryLevel second{.name = "L2", .bytes = gpu.l2_bytes};
    second.note = "of all SMs";
    MemoryLevel dram{.name = "DRAM", .bytes = gpu.memory_bytes};
    dram.note = "A, B and C";
    second.bandwidth = ceilings.l2;
    dram.bandwidth = ceilings.dram;
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
        if (group == recording::no_group || sms.size() == 1) // alone: it ran no cluster of two or more
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
    const RecordedNeeds asks = needs_of(recording);
    data.tile_bytes = asks.needs.shared_bytes;
    data.shared_of_block = use_of(limits, asks.needs, Limit::shared).per_block;
    if (recording.resources) {
        data.registers = asks.needs.registers;
        data.registers_of_block = use_of(limits, asks.needs, Limit::registers).per_block;
        data.blocks = std::max(1u, blocks_per_sm(recording).value().value_or(0));
    }
    if (asks.needs.threads > 0 && !recording.owner.empty())
        data.sums = static_cast<double>(cells_of_block(recording, 0).size()) / asks.needs.threads;
    return data;
}

} // namespace viz
