// How the hardware serves one warp instruction: the rule measured on an NVIDIA H200 (sm_90), exact on every row of
// tests/data/h200_access_patterns.csv and h200_copy_patterns.csv. Pure functions; the CPU backend, the command line and the views share them.
#pragma once

#include "recording/op.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace model {

inline constexpr int lanes = 32;
inline constexpr int banks = 32;
inline constexpr int bank_bytes = 4;
inline constexpr int sector_bytes = 32;

// The addresses of one warp instruction, in bytes, each a multiple of the width.
// Only lanes in the mask count.
struct Pattern {
    int width = 4; // bytes per lane: 1, 2, 4, 8 or 16; measured from 4 bytes on, narrower ones count as their word
    uint32_t mask = ~0u;
    std::array<uint64_t, lanes> offset{};
    friend bool operator==(const Pattern&, const Pattern&) = default;
};

struct SharedCost {
    int wavefronts = 0; // passes over the 32 banks
    int conflicts = 0;  // wavefronts beyond one per group of lanes
    friend bool operator==(const SharedCost&, const SharedCost&) = default;
};

struct GlobalCost {
    int requests = 0; // 1, or 0 when no lane is active
    int sectors = 0;  // different 32-byte sectors
    friend bool operator==(const GlobalCost&, const GlobalCost&) = default;
};

// `bank_count` here and below: 32 on every GPU so far; a smaller machine for teaching has as many lanes as banks, a power of two from
// 4 on, and the same rule.
inline int bank_of(uint64_t byte_offset, int bank_count = banks)
{
    return static_cast<int>(byte_offset / bank_bytes % static_cast<uint64_t>(bank_count));
}

// Of an operation that recording::counted_as counts as a load or store of shared memory. Only plain loads merge groups:
// the phases of ldmatrix and stmatrix, 8 lanes each, are served as a store of 16 bytes is.
SharedCost shared_access(recording::Op op, const Pattern& pattern, int bank_count = banks);

GlobalCost global_access(const Pattern& pattern);

// One warp's asynchronous copy (cp.async), both of whose sides decide what it costs.
struct CopyPattern {
    int width = 16;                           // bytes per lane: 4, 8 or 16
    bool bypass = true;                       // .cg: past L1, 16 bytes only; else .ca
    uint32_t mask = ~0u;                      // the lanes that copy
    uint32_t idle = 0;                        // those that take part and copy nothing: they write zeros
    std::array<uint64_t, lanes> from{}, to{}; // bytes, in global and in shared memory
};

// Its read. Through L1 it costs the different sectors that are touched, as a load does. Past L1 each sector is fetched for
// the 32 bytes of shared memory that it goes to: once for every pair of them, and once more where its halves change places.
// Of several lanes that write the same 16 bytes only the first one's are fetched.
GlobalCost copy_read(const CopyPattern& copy);

// Its write. In each group of lanes (32, 16 or 8 of them, as in a store) a lane waits for those whose bank it shares, lanes
// that write the same word too; and through L1 also for those that read from a bank of L1 that it reads from (an address's
// bank there is as in shared memory). The group takes as many wavefronts as its most delayed lane has to share with.
// Conflicts are what the hardware counts as such: none past L1, unless there are idle lanes.
SharedCost copy_write(const CopyPattern& copy);

// An atomic of 4 bytes in shared memory: lanes of one bank are served one after another, those of one word too. A
// compare-and-swap takes each wavefront twice. An addition of floats is a loop of such; what is counted of it are twice its
// wavefronts and no conflicts.
enum class Atomic { add, compare_and_swap, add_float };
SharedCost atomic_access(Atomic atomic, const Pattern& pattern);

// What one lane reads or writes in one bank during one wavefront.
struct Word {
    uint8_t lane = 0;
    uint8_t bank = 0;
    uint8_t wavefront = 0; // 0-based within the instruction
    uint8_t group = 0;     // the lanes served together: 0-based
    uint64_t word = 0;     // byte offset / 4
};

// The whole instruction laid out: each lane's words, with the wavefront that serves each. Words that several lanes
// read in one group appear once per lane, in the same wavefront. Which of several conflicting words goes first is not
// visible to software; here the lowest lane does.
std::vector<Word> schedule(recording::Op op, const Pattern& pattern, int bank_count = banks);

// How many lanes one group has (32, 16 or 8 with 32 banks) for this pattern, merging included.
int lanes_per_group(recording::Op op, const Pattern& pattern, int bank_count = banks);

} // namespace model
