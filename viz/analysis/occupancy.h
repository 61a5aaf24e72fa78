// Computes how many blocks of a kernel an SM can hold at once, and which resource limits them. Pure functions.
#pragma once

#include "viz/text/message.h"

#include "recording/measured.h"
#include "recording/recording.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace viz {

struct LadderFacts; // viz/ladder_facts.h

// Resources of an SM by compute capability, from NVIDIA's published tables.
struct SmLimits {
    uint32_t compute_capability = 90;
    uint32_t warps = 64, blocks = 32;   // maximum numbers of resident warps and blocks
    uint32_t shared_bytes = 228 * 1024; // for all resident blocks
    uint32_t shared_reserved = 1024;    // reserved by the system, per block
    uint32_t shared_unit = 128;         // granularity of a block's allocation
    uint32_t registers = 65536;         // in four equal parts, one per scheduler
    uint32_t register_unit = 256;       // granularity of a warp's allocation
    uint32_t most_shared_per_block() const { return shared_bytes - shared_reserved; }
};

inline constexpr uint32_t most_registers = 255, most_threads = 1024, sm_parts = 4;

std::span<const SmLimits> known_sms(); // ascending
std::optional<SmLimits> limits_of(uint32_t compute_capability);

// The resources that a kernel needs.
struct KernelNeeds {
    uint32_t threads = 256;    // per block
    uint32_t registers = 32;   // per thread
    uint32_t shared_bytes = 0; // per block, as requested by the kernel
    uint32_t warps() const { return (threads + recording::warp_size - 1) / recording::warp_size; } // per block
    friend bool operator==(const KernelNeeds&, const KernelNeeds&) = default;
};

enum class Limit { registers, shared, warps, blocks };
inline constexpr int limit_count = 4;

// The blocks and warps that are resident on an SM.
struct Residency {
    std::array<uint32_t, limit_count> allowed{}; // blocks allowed by each limit alone, indexed by Limit
    uint32_t blocks = 0, warps = 0;
    double share = 0;               // fraction of the maximum number of warps
    std::optional<Message> refusal; // why the kernel cannot be launched; then there are no blocks
    bool limited_by(Limit limit) const { return allowed[static_cast<std::size_t>(limit)] == blocks; }
};
Residency residency(const SmLimits& limits, const KernelNeeds& needs);

// Returns the registers allocated for a warp. The count per thread is rounded up, so 97 and 104 cost the same.
uint32_t registers_of_warp(const SmLimits& limits, uint32_t registers_per_thread);

// registers_to_lose_a_block() returns the fewest additional registers per thread that cost a resident block, and
// registers_to_gain_a_block() the fewest to remove to gain one.
std::optional<uint32_t> registers_to_lose_a_block(const SmLimits& limits, KernelNeeds needs);
std::optional<uint32_t> registers_to_gain_a_block(const SmLimits& limits, KernelNeeds needs);
// Returns by how many bytes the shared memory per block must shrink to gain a block.
std::optional<uint32_t> shared_to_gain_a_block(const SmLimits& limits, const KernelNeeds& needs);

// Use of one resource, in its own unit: registers, bytes, warps, blocks.
struct LimitUse {
    uint32_t capacity = 0;
    uint32_t usable = 0; // without the parts' remainders, which are too small for a warp
    uint32_t per_block = 0;
    uint32_t used(const Residency& now) const { return now.blocks * per_block; }
    bool next_fits(const Residency& now) const { return used(now) + per_block <= usable; }
};
LimitUse use_of(const SmLimits& limits, const KernelNeeds& needs, Limit limit);

// A resident warp. warps_of_schedulers() assigns warps to the four schedulers in turn.
struct ResidentWarp {
    uint32_t block = 0, warp = 0; // the block's index among the resident blocks; the warp's index in its block
    friend bool operator==(const ResidentWarp&, const ResidentWarp&) = default;
};
std::array<std::vector<ResidentWarp>, sm_parts> warps_of_schedulers(const Residency& now);

// Returns the residency that the other limits allow, for a kernel whose register count is not known.
Residency residency_without_registers(const SmLimits& limits, KernelNeeds needs);

// Returns the resources that the recorded kernel needs. The registers are meaningless if the recording has no
// resources, because no driver was queried.
KernelNeeds needs_of(const recording::Recording& recording);

// Returns the number of blocks that an SM holds at once, as the driver reported it. For a kernel recorded inside
// another program, computes it from registers, shared memory and threads.
recording::Measured<uint32_t> blocks_per_sm(const recording::Recording& recording);
// Returns resident warps over the maximum, 0 to 1.
recording::Measured<double> occupancy(const recording::Recording& recording);

// Returns the recorded registers per thread. Otherwise returns those in `ladder_facts`, if not null, for the same
// kernel with the same parameters on a GPU.
std::optional<uint32_t> registers_per_thread(const recording::Recording& recording, const LadderFacts* ladder_facts);

} // namespace viz
