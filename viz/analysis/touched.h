// Determines which elements a block touches in a phase, and where the values in its shared tiles come from. Pure
// functions.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/block_order.h"
#include "viz/analysis/bulk_copy.h"
#include "viz/analysis/ownership.h"
#include "viz/analysis/timeline.h"

#include <optional>
#include <vector>

namespace viz {

// Accesses of the block's warps to one array in one phase.
struct ArrayTouch {
    std::vector<CellRect> read, written;
    uint64_t reads = 0, writes = 0;             // lanes x elements
    uint64_t cells_read = 0, cells_written = 0; // distinct elements
};

// One entry per array of the recording.
struct PhaseTouch {
    std::vector<ArrayTouch> arrays;
    // Bytes requested by lanes, including repetitions. For bulk copies, the bytes of their boxes.
    uint64_t global_bytes_loaded = 0;
};
// Inputs of touched().
struct BlockParts {
    const recording::Recording& recording;
    const recording::BlockTrace& block;
    const std::vector<Elements>& elements;          // elements_of(recording)
    const std::vector<std::vector<Phase>>& phases;  // of each warp
    const std::vector<std::vector<BulkCopy>>& bulk; // bulk_copies() of each warp
};
// Returns what the block touches in a phase; `phase` is an index among the phases of `warp`. Warps with equal phases
// contribute the phase with the same index. Other warps contribute their phases of the same kind between the same two
// barriers.
PhaseTouch touched(const BlockParts& parts, std::size_t phase, std::size_t warp);

// What a shared cell holds: an element of a global matrix, or the zero for an element outside the matrix.
struct Origin {
    enum class Kind : uint8_t { unknown, element, outside };
    Kind kind = Kind::unknown;
    uint8_t array = 0;
    Cell cell;
    std::size_t stored = 0; // the tick that stored it
    friend bool operator==(const Origin&, const Origin&) = default;
};

// The contents of the shared tiles over time. Each value is followed from a lane's global load to its shared store. The
// first value loaded is the first one stored. In a bulk copy, values move from its source box to its target box. A
// value that was stored without a preceding load is unknown.
//
// The whole history of each cell is kept, so that every tick reached so far can be examined again. Each step is
// processed once, in order, even if advance_to() moves back and forth.
class SharedContents {
public:
    SharedContents(const recording::Recording& recording, const recording::BlockTrace& block);

    // Returns the order of the steps of all warps. If all warps take the same steps, a tick is one step of each.
    const BlockOrder& order() const { return order_; }

    // Moves to the moment just after a tick.
    void advance_to(std::size_t tick);

    // Returns what an element of a tile holds.
    Origin at(uint8_t array, Cell cell) const;

    const std::vector<Elements>& elements() const { return elements_; }
    const std::vector<std::vector<BulkCopy>>& bulk() const { return bulk_; } // by warp

private:
    struct Queue {
        std::vector<Origin> values;
        std::size_t next = 0;
    };

    void take(const recording::Access& access, std::size_t warp, std::size_t step);
    void load(const recording::Access& access, std::size_t warp);
    void store(const recording::Access& access, std::size_t warp);
    void copy_box(std::size_t warp, std::size_t step);
    std::vector<Origin>& held_by(uint8_t array, Cell cell);

    const recording::Recording& recording;
    const recording::BlockTrace& block;
    std::vector<Elements> elements_;
    BlockOrder order_;
    std::vector<std::vector<BulkCopy>> bulk_;
    // History of each element, by array and element; empty for global arrays.
    std::vector<std::vector<std::vector<Origin>>> tiles;
    std::vector<Queue> queues;      // per thread
    std::size_t done = 0;           // ticks processed
    std::optional<std::size_t> now; // the current tick; empty before the first
};

} // namespace viz
