// What a warp's access to global memory moves: 128-byte lines, 32-byte sectors, and how many of their bytes a lane
// asked for; and lanes that have no thread, or whose guard is false. Pure functions.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/quotient.h"
#include "viz/text/message.h"

#include "recording/recording.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace viz {

inline constexpr uint32_t line_bytes = 128, words_of_line = 32, words_of_sector = 8;

struct MemoryLine {
    uint64_t offset = 0;                            // of its first byte in the array
    std::array<uint32_t, words_of_line> lanes = {}; // of each 4-byte word: mask of the lanes that touch it
    bool touches(uint32_t sector) const;            // 0..3
};

struct SectorPicture {
    std::vector<MemoryLine> lines; // that are touched, ascending
    uint64_t sectors = 0, used_bytes = 0;
    uint64_t least_sectors = 0; // that could hold the used bytes
    Rich reason;                // why so many; stands after their number
    uint64_t moved_bytes() const { return sectors * model::sector_bytes; }
};

// The lines that its lanes touch, ascending, each once. A lane's bytes never cross one: they are aligned to their number.
std::vector<uint32_t> lines_of(const recording::Access& access);

// That could hold the bytes that its lanes use. More than these is waste, for every view.
uint64_t fewest_sectors(const recording::Access& access);

SectorPicture sector_picture(const recording::Access& access, const recording::Array& array);

// The step of the global access at or before `step`; if there is none, of the first one after it.
std::optional<std::size_t> nearest_global(const recording::WarpTrace& warp, std::size_t step);

// Everything that one source line does to one array.
struct GlobalUse {
    uint32_t line = 0;
    bool store = false;
    uint8_t array = 0;
    recording::GlobalTotals launch;     // over the whole launch
    uint64_t requests = 0, sectors = 0; // of the recorded block
    uint64_t lines = 0;                 // of 128 bytes that its requests touch
    uint64_t used_bytes = 0;            // summed over its requests, each byte once per request
    uint64_t different_sectors = 0;     // that the block touches on this line
    double used_share() const
    {
        return quotient(used_bytes, sectors * model::sector_bytes);
    } // of the bytes moved: 0..1
    // Of the recorded block, as all that follow.
    double sectors_per_request() const { return quotient(sectors, requests); }
    double lines_per_request() const { return quotient(lines, requests); }
    double fetches_per_sector() const
    {
        return quotient(sectors, different_sectors);
    } // how often it asks for one again
};

// Ascending by line; loads before stores. Where one line goes to several arrays, the launch's figures are shared out as in
// the block.
std::vector<GlobalUse> global_use(const recording::Recording& recording, const recording::BlockTrace& block);

// What a launch asks of global memory, all lines together.
struct LaunchMoves {
    uint64_t requests = 0, sectors = 0;
    double lines = 0; // as many per request as in the recorded block
};
LaunchMoves launch_moves(const std::vector<GlobalUse>& uses);

// The lanes of a warp that have a thread, as a mask: the last warp of a block may have fewer than 32.
uint32_t lanes_with_thread(const recording::Launch& launch, std::size_t warp);

struct GuardUse {                          // of the global accesses of one block, and its lanes that have a thread
    std::size_t accesses = 0, guarded = 0; // guarded: with a lane switched off
    std::size_t lanes = 0, off = 0;        // lanes that could have taken part; that did not
};
GuardUse guard_use(const recording::Launch& launch, const recording::BlockTrace& block);

} // namespace viz
