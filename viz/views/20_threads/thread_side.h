// What the threads view has of one subject: its map, and what was derived from the selected block.
#pragma once

#include "viz/text/prose.h"
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
    std::optional<uint32_t> marked_thread; // that `marks` are of
    MapMarks marks;

    void update(const std::shared_ptr<const recording::Recording>& wanted, uint32_t wanted_block);
    void mark(uint32_t thread, std::optional<Cell> element);
};

// What is launched and what the colours mean; what is outlined.
Messages thread_messages(const ThreadSide& side, ColourBy by);
std::vector<LegendItem> outlined(const Theme& theme, const ThreadSide& side);

} // namespace viz
