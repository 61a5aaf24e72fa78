// How many blocks of a kernel an SM can hold at once, and what limits them. Pure functions.
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

struct Board; // viz/board.h

// What an SM has, by compute capability: NVIDIA's published tables.
struct SmLimits {
    uint32_t compute_capability = 90;
    uint32_t warps = 64, blocks = 32;   // resident at most
    uint32_t shared_bytes = 228 * 1024; // of all resident blocks
    uint32_t shared_reserved = 1024;    // by the system, for each block
    uint32_t shared_unit = 128;         // what a block gets is rounded up to
    uint32_t registers = 65536;         // in four equal parts, one per scheduler
    uint32_t register_unit = 256;       // what a warp gets is rounded up to
    uint32_t most_shared_per_block() const { return shared_bytes - shared_reserved; }
};

inline constexpr uint32_t most_registers = 255, most_threads = 1024, sm_parts = 4;

std::span<const SmLimits> known_sms(); // ascending
std::optional<SmLimits> limits_of(uint32_t compute_capability);

struct KernelNeeds {
    uint32_t threads = 256;    // per block
    uint32_t registers = 32;   // per thread
    uint32_t shared_bytes = 0; // per block, as the kernel asks
    uint32_t warps() const { return (threads + recording::warp_size - 1) / recording::warp_size; } // per block
    friend bool operator==(const KernelNeeds&, const KernelNeeds&) = default;
};

enum class Limit { registers, shared, warps, blocks };
inline constexpr int limit_count = 4;

struct Residency {
    std::array<uint32_t, limit_count> allowed{}; // blocks that each limit alone would allow, by Limit
    uint32_t blocks = 0, warps = 0;
    double share = 0;               // of the warps that an SM can hold
    std::optional<Message> refusal; // why the kernel cannot be launched at all; blocks is then 0
    bool limited_by(Limit limit) const { return allowed[static_cast<std::size_t>(limit)] == blocks; }
};
Residency residency(const SmLimits& limits, const KernelNeeds& needs);

// What a warp gets of the registers: per thread rounded up, so that 97 and 104 cost the same.
uint32_t registers_of_warp(const SmLimits& limits, uint32_t registers_per_thread);

// The fewest additional registers per thread that cost a resident block, and how many fewer would give one more.
std::optional<uint32_t> registers_to_lose_a_block(const SmLimits& limits, KernelNeeds needs);
std::optional<uint32_t> registers_to_gain_a_block(const SmLimits& limits, KernelNeeds needs);
// How many bytes fewer of shared memory per block would give one more.
std::optional<uint32_t> shared_to_gain_a_block(const SmLimits& limits, const KernelNeeds& needs);

// How one limit is used up, in its own unit: registers, bytes, warps, blocks.
struct LimitUse {
    uint32_t capacity = 0;
    uint32_t usable = 0; // less what the parts of the register file have left over: a warp lies in one part
    uint32_t per_block = 0;
    uint32_t used(const Residency& now) const { return now.blocks * per_block; }
    bool next_fits(const Residency& now) const { return used(now) + per_block <= usable; }
};
LimitUse use_of(const SmLimits& limits, const KernelNeeds& needs, Limit limit);

// The resident warps on the four schedulers, dealt out in turn.
struct ResidentWarp {
    uint32_t block = 0, warp = 0; // the block's place among the resident ones, the warp's within its block
    friend bool operator==(const ResidentWarp&, const ResidentWarp&) = default;
};
std::array<std::vector<ResidentWarp>, sm_parts> warps_of_schedulers(const Residency& now);

// How many blocks the limits other than registers let in, where nobody knows how many registers a thread has.
Residency residency_without_registers(const SmLimits& limits, KernelNeeds needs);

// What a recording says that its kernel needs; without resources the driver was not asked, and its registers mean nothing.
KernelNeeds needs_of(const recording::Recording& recording);

// Blocks that an SM holds at once: as the driver said, else (recorded inside another program) what follows from registers, shared
// memory and threads.
recording::Measured<uint32_t> blocks_per_sm(const recording::Recording& recording);
recording::Measured<double> occupancy(const recording::Recording& recording); // resident warps of the most: 0..1

// Registers of a thread: as recorded, else as the board has them of the same kernel, with the same parameters, on a GPU.
// `board` null: nothing is known but the recording.
std::optional<uint32_t> registers_per_thread(const recording::Recording& recording, const Board* board);

} // namespace viz
