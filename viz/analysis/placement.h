// Blocks on SMs over time, from recorded times: waves, the tail and the imbalance. Also arranges blocks as a grid in
// which they lie as their tiles lie in C, if that is known. Pure functions.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/counted.h"

#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace viz {

// A block that ran on an SM. Blocks that were resident at the same time are in different slots. The blocks of a slot
// follow one another; `wave` is the index in this sequence.
struct PlacedBlock {
    uint32_t block = 0; // linear in the grid
    uint32_t sm = 0, slot = 0, wave = 0;
    uint64_t start_ns = 0, end_ns = 0;
    bool in_full = false; // a launch of its own recorded all of its accesses
    uint64_t duration() const { return end_ns - start_ns; }
};

// From this time on, so many blocks are resident on all SMs.
struct ResidentStep {
    uint64_t ns = 0;
    uint32_t blocks = 0;
};

// The blocks, by SM. Only PlacementPicture has slots, waves and times.
struct PlacedBlocks {
    std::vector<PlacedBlock> blocks; // by SM, then by start
    std::vector<std::size_t> first;  // index in `blocks` of each SM's first block, followed by the end index
    uint32_t sms = 0;                // of the GPU, or those that were seen
    uint32_t sms_used = 0;           // SMs that ran a block
};

// The blocks on SMs over time, with summary values.
struct PlacementPicture : PlacedBlocks {
    std::vector<ResidentStep> resident;
    uint32_t slots = 0; // most concurrent blocks on one SM
    uint32_t waves = 0; // most consecutive blocks in a slot
    uint32_t warps_per_block = 1;
    uint64_t span_ns = 0;                                    // the time at which the last block ends
    uint32_t in_full = 0;                                    // number of blocks recorded in full
    uint64_t shortest_ns = 0, median_ns = 0, longest_ns = 0; // of a block
    // Length of the tail. It begins when the last block has started and one of the used SMs has become empty.
    uint64_t tail_ns = 0;
    double idle_share = 0; // fraction of the time of all SMs without a block
    // Returns the number of waves of blocks, with a fraction: blocks / (SMs x slots).
    double fills() const { return ratio_or_zero(blocks.size(), uint64_t{sms} * slots); }
    double last_fill() const; // fill of the last wave, 0 to 1
};

// Returns nothing for a recording without placements, or with more SMs than any GPU has.
std::optional<PlacedBlocks> placed_blocks(const recording::Recording& recording);

// Also returns nothing if the times are not those of the timed kernel's blocks (recording::why_untimed).
std::optional<PlacementPicture> placement_of(const recording::Recording& recording);

// Returns the block on that SM at that time, or null. Considers only `slot` if it is given.
const PlacedBlock* block_at(const PlacementPicture& picture, uint32_t sm, uint64_t ns, std::optional<uint32_t> slot);

// The rows of a chart over time. Each SM has a row per slot, or a single row in which the block that started last hides
// others. Spans of a row do not overlap. Time without any block on the SM, up to the end of the launch, is a span in
// all rows of that SM. A free slot beside a running block is not shown as idle.
struct PlacedLanes {
    static constexpr std::size_t no_block = SIZE_MAX;
    struct Span {
        uint64_t from_ns = 0, until_ns = 0;
        std::size_t block = no_block; // index into the picture's blocks
        friend bool operator==(const Span&, const Span&) = default;
    };
    std::vector<Span> spans;
    std::vector<std::size_t> first; // index in `spans` of each row's first span, followed by the end index
    uint32_t rows_of_sm = 1;

    std::span<const Span> row(std::size_t number) const
    {
        return std::span(spans).subspan(first[number], first[number + 1] - first[number]);
    }
};
PlacedLanes placed_lanes(const PlacementPicture& picture, bool by_slot);

// Returns the SMs without any block at that time, ascending.
std::vector<uint32_t> idle_sms(const PlacementPicture& picture, uint64_t ns);

// Returns whether two launches can race on one clock. Only launches of the same problem can be compared that way.
inline bool may_race(const recording::Recording& first, const recording::Recording& second)
{
    return first.problem == second.problem;
}

// The progress of a launch in a race.
class LaunchRunner {
public:
    LaunchRunner() = default;
    explicit LaunchRunner(const PlacementPicture& picture);

    double finish() const { return ends_.empty() ? 0 : static_cast<double>(ends_.back()); } // nanoseconds
    double done(double ns) const; // fraction of the blocks that have ended by then, 0 to 1

private:
    std::vector<uint64_t> ends_; // ascending end times of the blocks
};

// A grid of blocks with x to the right and y downwards, or transposed if C is. Blocks along z share a position, because
// they compute parts of the same sums. A grid with one row is wrapped.
struct BlockGrid {
    recording::Index3 grid{1, 1, 1};
    uint32_t rows = 1, cols = 1, parts = 1;
    bool turned = false; // x runs downwards
    bool as_in_c = false;

    Cell place(uint32_t block) const;
    std::optional<uint32_t> block_at(Cell place, uint32_t part) const;
};

// `owners` is a recording of the same stage that has the owners of C, perhaps of another size. May be null.
BlockGrid block_grid(const recording::Launch& launch, const recording::Recording* owners);

// The state of a block at one time.
enum class BlockState : uint8_t { waiting, running, done };
BlockState state_at(const PlacedBlock& block, double ns);

} // namespace viz
