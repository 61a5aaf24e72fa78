// Blocks on SMs over time: waves, the tail and the imbalance, from recorded times; and the blocks as a grid, in the order of the tiles of
// C that they compute where that is known. Pure functions.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/quotient.h"

#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace viz {

// A block in its SM's row. Blocks that are resident together stand in different slots; in each slot one follows another,
// and a block's wave is its number in that order.
struct PlacedBlock {
    uint32_t block = 0; // linear in the grid
    uint32_t sm = 0, slot = 0, wave = 0;
    uint64_t start_ns = 0, end_ns = 0;
    bool in_full = false; // recorded in full, in another launch
    uint64_t duration() const { return end_ns - start_ns; }
};

struct ResidentStep { // from this time on so many blocks are resident on all SMs together
    uint64_t ns = 0;
    uint32_t blocks = 0;
};

// Which SM had which block. Slots, waves and times are known in a PlacementPicture alone.
struct PlacedBlocks {
    std::vector<PlacedBlock> blocks; // by SM, then by start
    std::vector<std::size_t> first;  // of each SM in `blocks`; one more at the end
    uint32_t sms = 0;                // rows: as many as the GPU has, or as were seen
    uint32_t sms_used = 0;           // that ran a block
};

struct PlacementPicture : PlacedBlocks {
    std::vector<ResidentStep> resident;
    uint32_t slots = 0; // the most blocks at once on one SM
    uint32_t waves = 0; // the most blocks after one another in a slot
    uint32_t warps_per_block = 1;
    uint64_t span_ns = 0;                                    // until the last block's end
    uint32_t in_full = 0;                                    // blocks
    uint64_t shortest_ns = 0, median_ns = 0, longest_ns = 0; // that a block takes
    // The tail: from when the last block had started and a first SM of those used was empty, until the end.
    uint64_t tail_ns = 0;
    double idle_share = 0; // of the time of all SMs: with no block at all
    // Blocks / (SMs x slots): the launch fills the GPU so many times.
    double fills() const { return quotient(blocks.size(), uint64_t{sms} * slots); }
    double last_fill() const; // of the last wave, 0..1
};

// Nothing for a recording without placements, or with more SMs than any GPU has.
std::optional<PlacedBlocks> placed_blocks(const recording::Recording& recording);

// Nor for one whose times are not those of the timed kernel's blocks (recording::why_untimed).
std::optional<PlacementPicture> placement_of(const recording::Recording& recording);

// The block of that SM at that time, in that slot if it is given; nothing where there is none.
const PlacedBlock* block_at(const PlacementPicture& picture, uint32_t sm, uint64_t ns, std::optional<uint32_t> slot);

// The rows of a chart over time: of each SM one row for each slot, or a single one, in which the block that began last hides those
// beside it. What is in a row follows one another. Time in which an SM has no block at all, until the launch has ended, is in all of
// its rows; a free slot beside a block is no waste as such.
struct PlacedLanes {
    static constexpr std::size_t no_block = SIZE_MAX;
    struct Span {
        uint64_t from_ns = 0, until_ns = 0;
        std::size_t block = no_block; // index into the picture's blocks
        friend bool operator==(const Span&, const Span&) = default;
    };
    std::vector<Span> spans;
    std::vector<std::size_t> first; // of each row in `spans`; one more at the end
    uint32_t rows_of_sm = 1;

    std::span<const Span> row(std::size_t number) const
    {
        return std::span(spans).subspan(first[number], first[number + 1] - first[number]);
    }
};
PlacedLanes placed_lanes(const PlacementPicture& picture, bool by_slot);

// SMs without any block at that time, ascending.
std::vector<uint32_t> idle_sms(const PlacementPicture& picture, uint64_t ns);

// Two whole launches on one clock: how much of C each has finished, and who is through first. Launches of other problems are no race.
inline bool may_race(const recording::Recording& first, const recording::Recording& second)
{
    return first.problem == second.problem;
}

class LaunchRunner {
public:
    LaunchRunner() = default;
    explicit LaunchRunner(const PlacementPicture& picture);

    double finish() const { return ends_.empty() ? 0 : static_cast<double>(ends_.back()); } // nanoseconds
    double done(double ns) const; // share of its blocks that have ended by then, 0 ... 1

private:
    std::vector<uint64_t> ends_; // of the blocks, ascending
};

// x to the right and y downwards, or the other way round where blocks lie so in C. Blocks along z share a place: they
// compute parts of the same sums. A grid of one row is wrapped.
struct BlockGrid {
    recording::Index3 grid{1, 1, 1};
    uint32_t rows = 1, cols = 1, parts = 1;
    bool turned = false; // x downwards
    bool as_in_c = false;

    Cell place(uint32_t block) const;
    std::optional<uint32_t> block_at(Cell place, uint32_t part) const;
};

// `owners`: a recording of the same stage, perhaps of another size, whose owners of C are known; may be null.
BlockGrid block_grid(const recording::Launch& launch, const recording::Recording* owners);

enum class BlockState : uint8_t { waiting, running, done };
BlockState state_at(const PlacedBlock& block, double ns);

} // namespace viz
