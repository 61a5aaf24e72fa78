// Which elements a block touches in a phase, and where the values in its shared tiles came from. Pure functions.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/block_order.h"
#include "viz/analysis/bulk_copy.h"
#include "viz/analysis/ownership.h"
#include "viz/analysis/timeline.h"

#include <optional>
#include <vector>

namespace viz {

// What the block's warps did to one array in one phase.
struct ArrayTouch {
    std::vector<CellRect> read, written;
    uint64_t reads = 0, writes = 0;             // lanes x elements
    uint64_t cells_read = 0, cells_written = 0; // different elements
};

// One entry per array of the recording.
struct PhaseTouch {
    std::vector<ArrayTouch> arrays;
    uint64_t global_bytes_loaded = 0; // what lanes asked for, repetitions counted; of bulk copies, their boxes
};
// What that is found from.
struct BlockParts {
    const recording::Recording& recording;
    const recording::BlockTrace& block;
    const std::vector<Elements>& elements;          // elements_of(recording)
    const std::vector<std::vector<Phase>>& phases;  // of each warp
    const std::vector<std::vector<BulkCopy>>& bulk; // bulk_copies() of each warp
};
// A phase by its place among the phases of one warp. Warps with the same phases take their own of that number; others,
// which do something else or less, what they do of the same kind between the same two barriers.
PhaseTouch touched(const BlockParts& parts, std::size_t phase, std::size_t warp);

// The element of a global matrix that a shared cell holds, or the zero that stands for an element outside of it.
struct Origin {
    enum class Kind : uint8_t { unknown, element, outside };
    Kind kind = Kind::unknown;
    uint8_t array = 0;
    Cell cell;
    std::size_t stored = 0; // the tick that stored it
    friend bool operator==(const Origin&, const Origin&) = default;
};

// What the shared tiles hold: followed from each lane's global loads to its shared stores, in program order (the first
// value loaded is the first one stored), and from a bulk copy's box in global memory to its box in the tile. A store
// that no load came before stays unknown.
//
// All that a cell ever held is kept, so that any moment can be looked at once it has been reached: a step of a warp is read
// once, in order, wherever one goes to and fro.
class SharedContents {
public:
    SharedContents(const recording::Recording& recording, const recording::BlockTrace& block);

    // Steps of several warps happen in this order; where all warps do the same, a tick is a step of each.
    const BlockOrder& order() const { return order_; }

    // Looks at the moment just after a tick.
    void advance_to(std::size_t tick);

    // Of a tile's element.
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
    // Per array and element what it held, one after the other; empty for global ones.
    std::vector<std::vector<std::vector<Origin>>> tiles;
    std::vector<Queue> queues;      // per thread
    std::size_t done = 0;           // ticks replayed
    std::optional<std::size_t> now; // the tick that is looked at; nothing: before the first
};

} // namespace viz
