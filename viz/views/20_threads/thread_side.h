// What the threads view has of one stage: its map, and what is derived of the selection there.
#pragma once

#include "viz/text/message.h"
#include "viz/view.h"
#include "viz/views/20_threads/thread_map.h"

#include <optional>
#include <vector>

namespace viz {

// Good for one frame; what it refers to is kept by the column.
struct ThreadSide {
    const recording::Recording& recording;
    ThreadMap& map;
    uint32_t block = 0, thread = 0;      // linear in the grid; in the block
    const std::vector<OwnedCell>& owned; // by the block
    std::optional<Cell> element;         // the one that was clicked; until then the first one of the thread
    const MapMarks& marks;
    bool passed_on = false;       // see sums_pass_through_shared
    std::optional<uint64_t> idle; // threads of the launch that own no element of C; none while they are counted
};
ThreadSide thread_side(const ViewFrame& frame, const StageColumn& column, ThreadMap& map);

// What a colour and a number stand for.
Message colour_message(ColourBy by);

// What is launched and what the colours mean; what is outlined.
Messages thread_messages(const ThreadSide& side, ColourBy by);
Messages outlined(const ThreadSide& side);

// The one line above the map.
Message headline(const ThreadSide& side);

// What the element is the sum of.
Messages sum_messages(const recording::Recording& recording, Cell element);

} // namespace viz
