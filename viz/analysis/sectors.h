// What an access of a warp to global memory moves: 128-byte lines, 32-byte sectors, and bytes requested by lanes. Also
// finds lanes without a thread and lanes whose bounds check fails. Pure functions.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/counted.h"
#include "viz/text/message.h"

#include "recording/recording.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace viz {

inline constexpr uint32_t line_bytes = 128, words_of_line = 32, words_of_sector = 8;

// A 128-byte line of global memory that an access touches.
struct MemoryLine {
    uint64_t offset = 0;                            // of its first byte, from the start of the array
    std::array<uint32_t, words_of_line> lanes = {}; // by 4-byte word: mask of the lanes that touch it
    bool touches(uint32_t sector) const;            // sector: 0 to 3
};

// The lines and sectors that an access touches.
struct SectorPicture {
    std::vector<MemoryLine> lines; // the touched lines, ascending
    uint64_t sectors = 0, used_bytes = 0;
    uint64_t least_sectors = 0; // the fewest sectors that could hold the used bytes
    Rich reason;                // why there are so many sectors; printed after their number
    uint64_t moved_bytes() const { return sectors * model::sector_bytes; }
};

// Returns the distinct lines that the lanes touch, ascending. A lane's bytes never cross a line, because they are
// aligned to their size.
std::vector<uint32_t> lines_of(const recording::Access& access);

// Returns the fewest sectors that could hold the bytes used by the lanes. All views count further sectors as waste.
uint64_t fewest_sectors(const recording::Access& access);

SectorPicture sector_picture(const recording::Access& access, const recording::Array& array);

// Returns the step of the last global access at or before `step`. If there is none, returns the step of the first one
// after it. An access without active lanes is skipped, unless it is at `step` itself.
std::optional<std::size_t> nearest_global(const recording::WarpTrace& warp, std::size_t step);

// What an access of global memory is counted as: a load, a store or an atomic operation, and its word.
recording::Op use_kind(recording::Op op);
std::string kind_word(recording::Op kind);

// All accesses of one source line to one array.
struct GlobalUse {
    uint32_t line = 0;
    recording::Op kind = recording::Op::global_load; // a load, a store or an atomic operation: use_kind()
    uint8_t array = 0;
    recording::GlobalTotals launch;     // over the whole launch
    uint64_t requests = 0, sectors = 0; // of the recorded block
    uint64_t lines = 0;                 // 128-byte lines touched by its requests
    uint64_t used_bytes = 0;            // summed over its requests
    uint64_t different_sectors = 0;     // distinct sectors that the block touches
    // Returns the used fraction of the bytes moved, 0 to 1.
    double used_share() const { return ratio_or_zero(used_bytes, sectors * model::sector_bytes); }
    // The following are for the recorded block.
    double sectors_per_request() const { return ratio_or_zero(sectors, requests); }
    double lines_per_request() const { return ratio_or_zero(lines, requests); }
    // Returns how often each distinct sector is requested.
    double fetches_per_sector() const { return ratio_or_zero(sectors, different_sectors); }
};

// Returns the uses in ascending order of lines, loads before stores. If one line accesses several arrays, the launch's
// totals are divided among them as in the block.
std::vector<GlobalUse> global_use(const recording::Recording& recording, const recording::BlockTrace& block);

// The global memory traffic of a launch, summed over all source lines.
struct LaunchMoves {
    uint64_t requests = 0, sectors = 0;
    double lines = 0; // extrapolated with the recorded block's lines per request
};
LaunchMoves launch_moves(const std::vector<GlobalUse>& uses);

// Returns a mask of the lanes that have a thread. The last warp of a block may have fewer than 32 threads.
uint32_t lanes_with_thread(const recording::Launch& launch, std::size_t warp);

struct GuardUse {                          // global accesses of one block, and the lanes that have a thread
    std::size_t accesses = 0, guarded = 0; // guarded: a bounds check disables at least one lane
    std::size_t lanes = 0, off = 0;        // lanes that have a thread, and those of them that are disabled
};
GuardUse guard_use(const recording::Launch& launch, const recording::BlockTrace& block);

} // namespace viz
