// What the threads view has of one stage: its map, and what was derived from the selected block.
#pragma once

#include "viz/text/message.h"
#include "viz/views/20_threads/thread_map.h"

#include <memory>
#include <optional>
#include <vector>

namespace viz {

struct ThreadSide {
    ThreadMap map;
    std::shared_ptr<const recording::Recording> recording;
    uint32_t block = 0;
    std::vector<OwnedCell> owned;
    bool passed_on = false;                // see sums_pass_through_shared
    std::optional<uint32_t> marked_thread; // that `marks` are of
    MapMarks marks;

    void update(const std::shared_ptr<const recording::Recording>& wanted, uint32_t wanted_block);
    void mark(uint32_t thread, std::optional<Cell> element);
};

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
