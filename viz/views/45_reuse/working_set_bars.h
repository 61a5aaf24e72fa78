// What a warp, a block and an SM touch of A and B while one k-tile is worked on, beside the size of L1.
#pragma once

#include "viz/analysis/reuse.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"
#include "viz/text/message.h"

#include <optional>
#include <string>

namespace viz {

struct WorkingSetBars {
    const WorkingSet& set;
    const Theme& theme;
    draw::Box box;
    Colour accent = 0;
    uint64_t l1_bytes = 0;      // of an SM, shared memory included; 0: not known
    Messages why_no_l1;         // where it is not
    uint64_t most = 1;          // bytes that get the whole length: of both stages
    std::optional<double> hits; // of L1, as counted: 0..1
    std::string hits_size;      // of which launch: "4096³"
    Messages hits_said;         // how it was counted, or why it was not
    Marks* marks = nullptr;
};

float working_set_height(const Theme& theme);

// The longest of the bars.
uint64_t most_of(const WorkingSet& set, uint64_t l1_bytes);

// Says what the mouse is over.
std::optional<Message> draw_working_set(const WorkingSetBars& bars);

} // namespace viz
