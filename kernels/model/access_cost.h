// The cost of one warp instruction in the memory system. The rule was measured on an NVIDIA H200 (sm_90) and is exact
// on every row of tests/data/h200_access_patterns.csv and h200_copy_patterns.csv. Pure functions, shared by the CPU
// backend, the command line and the views.
#pragma once

#include "recording/op.h"
#include "recording/recording.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace model {

inline constexpr int lanes = 32;
inline constexpr int banks = 32;
inline constexpr int bank_bytes = 4;
inline constexpr int sector_bytes = 32;

// The addresses of one warp instruction in bytes. Each is a multiple of the width. Only the lanes in the mask count.
struct Pattern {
    int width = 4; // bytes per lane: 1, 2, 4, 8 or 16; 4 and more were measured, narrower accesses count as their word
    uint32_t mask = ~0u;
    std::array<uint64_t, lanes> offset{};
    recording::AtomicRule atomic = recording::AtomicRule::unknown; // of an atomic operation
    friend bool operator==(const Pattern&, const Pattern&) = default;
};

struct SharedCost {
    int wavefronts = 0; // passes over the 32 banks
    int conflicts = 0;  // wavefronts beyond one per group of lanes
    friend bool operator==(const SharedCost&, const SharedCost&) = default;
};

struct GlobalCost {
    int requests = 0; // 1, or 0 when no lane is active
    int sectors = 0;  // distinct 32-byte sectors
    friend bool operator==(const GlobalCost&, const GlobalCost&) = default;
};

// `bank_count`, here and below, is 32 on every GPU so far. A smaller machine for teaching has as many lanes as banks (a
// power of two, at least 4) and the same rule.
inline int bank_of(uint64_t byte_offset, int bank_count = banks)
{
    return static_cast<int>(byte_offset / bank_bytes % static_cast<uint64_t>(bank_count));
}

// Returns the cost of an operation that recording::counted_as counts as a load or store of shared memory. Only plain
// loads merge groups: ldmatrix and stmatrix have phases of 8 lanes each, which are served like a store of 16 bytes.
SharedCost shared_access(recording::Op op, const Pattern& pattern, int bank_count = banks);

GlobalCost global_access(const Pattern& pattern);

// An asynchronous copy (cp.async) by one warp. Its cost depends on the addresses of both sides.
struct CopyPattern {
    int width = 16;                           // bytes per lane: 4, 8 or 16
    bool bypass = true;                       // .cg: bypasses L1, 16 bytes only; otherwise .ca
    uint32_t mask = ~0u;                      // the lanes that copy
    uint32_t idle = 0;                        // the lanes that participate but copy nothing: they write zeros
    std::array<uint64_t, lanes> from{}, to{}; // byte addresses in global and in shared memory
};

// Returns the cost of the copy's read. Through L1 it is the number of distinct sectors, as for a load. A copy that
// bypasses L1 fetches a sector once for each 32 bytes of shared memory that it goes to, and once more if its halves are
// swapped. If several lanes write the same 16 bytes, only the first lane's bytes are fetched.
GlobalCost copy_read(const CopyPattern& copy);

// Returns the cost of the copy's write. Lanes form groups of 32, 16 or 8, as for a store. A lane waits for the lanes of
// its group that write to the same bank, even to the same word. Through L1 it also waits for the lanes whose source is
// in the same bank of L1. L1 maps addresses to banks like shared memory. A group takes one wavefront for each lane that
// its most delayed lane waits for, including itself. `conflicts` is what the hardware counts as conflicts: none for
// copies that bypass L1, unless lanes are idle.
SharedCost copy_write(const CopyPattern& copy);

// Returns the cost of a 4-byte atomic operation in shared memory, or nothing if no rule is known for it, or if it is
// one of two rules and they differ (docs/results/nvidia-h200-2026-11-28-atomics.md). Lanes that access one bank are
// served one after another, even if they access the same word. Where a constant 1 is added, lanes of one word are
// merged. A compare-and-swap takes each wavefront twice.
std::optional<SharedCost> shared_atomic(const Pattern& pattern);

// Sums over the warp instructions of one source line or one machine instruction, all with the same rule. The two sums of
// wavefronts assume that lanes of one bank are served one after another, and that lanes of one word are served together.
struct AtomicWavefronts {
    uint64_t instructions = 0, lane_by_lane = 0, counted = 0;
};
// Returns the cost of these instructions, or nothing if no rule is known for them.
std::optional<recording::SharedTotals> shared_atomics(recording::AtomicRule rule, const AtomicWavefronts& sums);

// Returns the cost of an atomic operation in global memory: for each sector as many as the most lanes on one address
// in it. Returns nothing if the rule is not known to hold.
std::optional<GlobalCost> global_atomic(const Pattern& pattern);

// A lane's access to one bank during one wavefront.
struct Word {
    uint8_t lane = 0;
    uint8_t bank = 0;
    uint8_t wavefront = 0; // index within the instruction, from 0
    uint8_t group = 0;     // index of the group of lanes served together, from 0
    uint64_t word = 0;     // byte offset / 4
};

// Returns the words that each lane accesses, with the wavefront that serves each. A word that several lanes read in one
// group appears once per lane, in the same wavefront. Software cannot observe which of several conflicting words is
// served first. Here it is the word of the lowest lane.
std::vector<Word> schedule(recording::Op op, const Pattern& pattern, int bank_count = banks);

// Returns how many lanes one group has for this pattern, after groups were merged: 32, 16 or 8 with 32 banks.
int lanes_per_group(recording::Op op, const Pattern& pattern, int bank_count = banks);

// The cost of accesses, in the form that recordings add up. Pure functions.

inline recording::SharedTotals totals_of(const SharedCost& cost)
{
    return {1, static_cast<uint64_t>(cost.wavefronts), static_cast<uint64_t>(cost.conflicts)};
}

inline recording::GlobalTotals totals_of(const GlobalCost& cost)
{
    return {static_cast<uint64_t>(cost.requests), static_cast<uint64_t>(cost.sectors)};
}

// Returns what one access of a warp adds to the totals of its line. Returns zeros if no lane participates or if
// the operation is not recording::in_totals. The cost of an asynchronous copy also depends on its write: see
// copy_read.
recording::Totals totals_of(recording::Op op, const Pattern& pattern);

// Caches totals_of(). Loops repeat a few patterns at varying addresses. A pattern's cost depends on its start only
// through the offset in a row of all banks.
class CostMemo {
public:
    // Offsets of lanes outside the mask are ignored.
    const recording::Totals& totals_of(recording::Op op, int width, uint32_t mask,
                                       const std::array<uint64_t, lanes>& offset,
                                       recording::AtomicRule atomic = recording::AtomicRule::unknown);

private:
    struct Entry {
        recording::Op op = recording::Op::barrier; // barrier, which is never counted, marks an empty entry
        Pattern pattern;                           // relative to the start of the row of its first lane
        std::array<uint64_t, lanes> active{};      // all bits set for lanes in the mask
        recording::Totals totals;
    };
    std::vector<Entry> entries_ = std::vector<Entry>(256); // indexed by a hash; a new pattern replaces an older one
};

} // namespace model
