// How the hardware serves one warp instruction: the rule measured on an NVIDIA H200 (sm_90), exact on every row of
// tests/data/h200_access_patterns.csv. Pure functions; the CPU backend, the command line and the views share them.
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
    int width = 4; // bytes per lane: 4, 8 or 16
    uint32_t mask = ~0u;
    std::array<uint64_t, lanes> offset{};
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

inline int bank_of(uint64_t byte_offset)
{
    return static_cast<int>(byte_offset / bank_bytes % banks);
}

// Of an operation that recording::counted_as counts as a load or store of shared memory. Only plain loads merge groups:
// the phases of ldmatrix, 8 lanes each, are served as a store of 16 bytes is, and so, it is assumed, are the writes of
// asynchronous copies.
SharedCost shared_access(recording::Op op, const Pattern& pattern);

GlobalCost global_access(const Pattern& pattern);

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
std::vector<Word> schedule(recording::Op op, const Pattern& pattern);

// How many lanes one group has (32, 16 or 8) for this pattern, merging included.
int lanes_per_group(recording::Op op, const Pattern& pattern);

} // namespace model
