// A GPU: properties that its driver reports, and measurements by microbenchmarks. Plain data, facts only.
#pragma once

#include "base/fields.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace recording {

// Properties from the driver; 0: not reported. It reports neither GPCs nor TPCs, nor the size of L1 beside shared
// memory.
struct GpuProperties {
    std::string name;                // "NVIDIA H200"
    std::string toolkit;             // "NVRTC 13.0, driver 580.159"
    uint32_t compute_capability = 0; // 90 for sm_90
    uint32_t sm_count = 0;
    uint32_t clock_khz = 0, memory_clock_khz = 0; // maximum clocks
    uint32_t memory_bus_bits = 0;
    uint64_t memory_bytes = 0, l2_bytes = 0;
    uint32_t registers_per_sm = 0, shared_bytes_per_sm = 0, shared_bytes_per_block = 0;
    uint32_t threads_per_sm = 0, blocks_per_sm = 0; // maximum resident per SM
    double fp32_gflops = 0;                         // SMs x lanes x 2 x clock

    // Bandwidth of DRAM in bytes per nanosecond: two transfers per clock.
    double memory_gbps() const { return 2e-6 * memory_clock_khz * memory_bus_bits / 8; }
    friend bool operator==(const GpuProperties&, const GpuProperties&) = default;
};
void fields(auto& visit, kernels::Like<GpuProperties> auto& gpu)
{
    visit("name", gpu.name);
    visit("toolkit", gpu.toolkit);
    visit("compute_capability", gpu.compute_capability);
    visit("sm_count", gpu.sm_count);
    visit("clock_khz", gpu.clock_khz);
    visit("memory_clock_khz", gpu.memory_clock_khz);
    visit("memory_bus_bits", gpu.memory_bus_bits);
    visit("memory_bytes", gpu.memory_bytes);
    visit("l2_bytes", gpu.l2_bytes);
    visit("registers_per_sm", gpu.registers_per_sm);
    visit("shared_bytes_per_sm", gpu.shared_bytes_per_sm);
    visit("shared_bytes_per_block", gpu.shared_bytes_per_block);
    visit("threads_per_sm", gpu.threads_per_sm);
    visit("blocks_per_sm", gpu.blocks_per_sm);
    visit("fp32_gflops", gpu.fp32_gflops);
}

// Time of one load in a pointer chase through this many bytes in scattered order: each depends on the load before it.
struct Latency {
    uint64_t bytes = 0;
    double ns = 0, cycles = 0; // cycles of the SM's clock
    friend bool operator==(const Latency&, const Latency&) = default;
};
void fields(auto& visit, kernels::Like<Latency> auto& latency)
{
    visit("bytes", latency.bytes);
    visit("ns", latency.ns, kernels::above_zero);
    visit("cycles", latency.cycles, kernels::above_zero);
}

// Bandwidth when all SMs repeatedly read the same buffer of this many bytes.
struct Bandwidth {
    uint64_t bytes = 0;
    double gbps = 0; // bytes per nanosecond
    friend bool operator==(const Bandwidth&, const Bandwidth&) = default;
};
void fields(auto& visit, kernels::Like<Bandwidth> auto& bandwidth)
{
    visit("bytes", bandwidth.bytes);
    visit("gbps", bandwidth.gbps, kernels::above_zero);
}

// Peak speed of arithmetic on registers. For wgmma, the operands are in shared memory.
struct ArithmeticPeak {
    std::string instruction; // "fma", "mma", "wgmma"
    std::string type;        // "fp32", "tf32", "fp16", "bf16"
    double gflops = 0;
    friend bool operator==(const ArithmeticPeak&, const ArithmeticPeak&) = default;
};
void fields(auto& visit, kernels::Like<ArithmeticPeak> auto& peak)
{
    visit("instruction", peak.instruction);
    visit("type", peak.type);
    visit("gflops", peak.gflops, kernels::above_zero);
}

// Time of a load from shared memory that depends on the previous one. `ways` lanes access different words of one bank.
struct ConflictLatency {
    uint32_t ways = 1; // 1: no bank conflict
    double ns = 0, cycles = 0;
    friend bool operator==(const ConflictLatency&, const ConflictLatency&) = default;
};
void fields(auto& visit, kernels::Like<ConflictLatency> auto& latency)
{
    visit("ways", latency.ways);
    visit("ns", latency.ns, kernels::above_zero);
    visit("cycles", latency.cycles, kernels::above_zero);
}

inline constexpr uint32_t longest_chain = 4;

// Time of a chain of steps: load, load, add, store, of which the first `instructions` steps are measured. The chain is
// repeated: its first load depends on the last step of the chain before. The chain runs through this many bytes. With at_once, both loads (of different lines) are issued
// together and the add waits for both, as in C[i] = A[i] + B[i]. Otherwise each step waits for the previous one.
// Nothing waits for a store.
struct DependentChain {
    uint64_t bytes = 0;
    uint32_t instructions = 1; // 1..4; 3 or 4 if at_once
    double ns = 0, cycles = 0; // for one iteration of the chain
    bool at_once = false;      // both loads are issued together
    friend bool operator==(const DependentChain&, const DependentChain&) = default;
};
void fields(auto& visit, kernels::Like<DependentChain> auto& chain)
{
    visit("bytes", chain.bytes);
    visit("instructions", chain.instructions, kernels::between(1u, longest_chain));
    visit("ns", chain.ns, kernels::above_zero);
    visit("cycles", chain.cycles, kernels::above_zero);
    visit("at_once", chain.at_once, kernels::may_be_missing);
}

// Bandwidth when all SMs read DRAM once, with this many resident warps each. Each warp waits for a load before the
// next.
struct Streaming {
    uint32_t warps_per_sm = 0;
    uint32_t width = 0; // bytes per thread and load
    double gbps = 0;    // bytes per nanosecond
    friend bool operator==(const Streaming&, const Streaming&) = default;
};
void fields(auto& visit, kernels::Like<Streaming> auto& streaming)
{
    visit("warps_per_sm", streaming.warps_per_sm);
    visit("width", streaming.width);
    visit("gbps", streaming.gbps, kernels::above_zero);
}

inline constexpr uint32_t no_group = 0xffffffff; // group of an SM on which no cluster ran

struct GpuMeasurement {
    std::string name, toolkit;
    std::string measured_at;               // UTC, ISO 8601
    std::vector<Latency> latency;          // through L1, ascending by bytes
    std::optional<Latency> shared_latency; // latency of shared memory
    std::vector<Bandwidth> bandwidth;      // bypasses L1; ascending by bytes
    std::optional<Bandwidth> l1_bandwidth, shared_bandwidth;
    std::vector<ConflictLatency> conflict_latency; // ascending by ways; empty in measurements that predate it
    std::vector<Streaming> streaming;              // by width, then by warps; empty in measurements that predate it
    std::vector<DependentChain> chains; // by bytes, at_once, instructions; empty in measurements that predate it
    std::vector<ArithmeticPeak> peaks;
    // The group number of each SM. All blocks of a cluster run on SMs of one group. They share a GPC, so a group is a
    // GPC or a part of one. Empty if the GPU has no clusters.
    std::vector<uint32_t> group_of_sm;
    friend bool operator==(const GpuMeasurement&, const GpuMeasurement&) = default;
};
void fields(auto& visit, kernels::Like<GpuMeasurement> auto& measured)
{
    visit("name", measured.name);
    visit("toolkit", measured.toolkit);
    visit("measured_at", measured.measured_at);
    visit("latency", measured.latency);
    visit("bandwidth", measured.bandwidth);
    visit("shared_latency", measured.shared_latency);
    visit("l1_bandwidth", measured.l1_bandwidth);
    visit("shared_bandwidth", measured.shared_bandwidth);
    visit("conflict_latency", measured.conflict_latency, kernels::may_be_missing);
    visit("streaming", measured.streaming, kernels::may_be_missing);
    visit("chains", measured.chains, kernels::may_be_missing);
    visit("peaks", measured.peaks);
    visit("group_of_sm", measured.group_of_sm);
}

} // namespace recording
