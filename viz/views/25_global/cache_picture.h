// What caught the requests of a launch before they reached memory: hit rates and bytes from the GPU's counters, beside the
// recorded bytes.
#pragma once

#include "viz/board.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"
#include "viz/text/message.h"

#include <vector>

namespace viz {

struct CachePicture {
    const recording::Recording& recording;
    const RungFigures* rung = nullptr;        // null: nothing is known of it
    const HardwareFigures* figures = nullptr; // at the recording's size
    bool gpu = false;                         // here: it can be counted
    bool counting = false;
    Colour accent = 0;

    // At the recording's size, else at another; null: nothing was counted.
    const HardwareFigures* any() const
    {
        return figures != nullptr || rung == nullptr || rung->counted.empty() ? figures : &rung->counted.front();
    }

    // Of a larger size, whose operands the caches cannot hold; null: none was counted.
    const HardwareFigures* largest() const;

    static CachePicture of(const recording::Recording& recording, const Board& board, Colour accent);
};

// "Loads ask for 8 times the least possible, 1.1 times came from DRAM ...", or why that is not known and what to press;
// then the other sizes that were counted.
std::vector<Messages> cache_words(const CachePicture& picture);

// Zero where there are no figures.
float cache_bars_height(const Theme& theme, const CachePicture& picture);

// Seven bars at most. Returns what is said of the one under the mouse.
std::optional<Message> draw_cache_bars(const Theme& theme, const CachePicture& picture, const draw::Box& box,
                                       Marks* marks);

} // namespace viz
