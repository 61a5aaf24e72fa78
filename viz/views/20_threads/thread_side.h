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

// "16 blocks of 1,024 threads for 128 x 128 elements of C ...", with what is outlined and what the colours mean.
Prose thread_sentence(const Theme& theme, const ThreadSide& side, ColourBy by);

} // namespace viz
