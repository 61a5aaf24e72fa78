// Which elements a block touches in a phase, and where the values in its shared tiles came from. Pure functions.
#pragma once

#include "viz/analysis/access.h"
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

// A phase by its place among the phases of a warp; every warp of the block takes its own phase of that number.
// One entry per array of the recording.
struct PhaseTouch {
    std::vector<ArrayTouch> arrays;
    uint64_t global_bytes_loaded = 0; // what lanes asked for, repetitions counted
};
PhaseTouch touched(const recording::Recording& recording, const recording::BlockTrace& block, std::size_t phase);

// The element of a global matrix that a shared cell holds, or the zero that stands for an element outside of it.
struct Origin {
    enum class Kind : uint8_t { unknown, element, outside };
    Kind kind = Kind::unknown;
    uint8_t array = 0;
    Cell cell;
    std::size_t stored = 0; // the step that stored it
    friend bool operator==(const Origin&, const Origin&) = default;
};

// What the shared tiles hold: followed from each lane's global loads to its shared stores, in program order (the first
// value loaded is the first one stored). A store that no load came before stays unknown.
class SharedContents {
public:
    SharedContents(const recording::Recording& recording, const recording::BlockTrace& block);

    // Moves to just after `step` of every warp; going back starts again.
    void advance_to(std::size_t step);

    // Of a tile's element.
    Origin at(uint8_t array, Cell cell) const;

private:
    struct Queue {
        std::vector<Origin> values;
        std::size_t next = 0;
    };

    void reset();
    void load(const recording::Access& access, std::size_t warp);
    void store(const recording::Access& access, std::size_t warp);

    const recording::Recording& recording;
    const recording::BlockTrace& block;
    std::vector<Elements> elements;
    std::vector<std::vector<Origin>> tiles; // per array; empty for global ones
    std::vector<Queue> queues;              // per thread
    std::size_t done = 0;                   // steps replayed
};

} // namespace viz
