// What a warp, a block and an SM touch of A and B while one k-tile is worked on, beside the size of L1.
#pragma once

#include "viz/analysis/reuse.h"
#include "viz/draw/stage_part.h"
#include "viz/text/message.h"

#include <optional>

namespace viz {

struct WorkingSetBars {
    const StagePart& part;
    const WorkingSet& set;
    uint64_t l1_bytes = 0;                    // of an SM, shared memory included; 0: not known
    uint64_t most = 1;                        // bytes that get the whole length: of both stages
    const HardwareFigures* counted = nullptr; // the largest launch that was; null: none
    Messages hits_said;                       // how the hits of L1 were counted, or why they were not

    std::optional<double> hits() const { return counted != nullptr ? counted->l1_hits : std::nullopt; } // 0..1
};

float working_set_height(const Theme& theme);

// The longest of the bars.
uint64_t most_of(const WorkingSet& set, uint64_t l1_bytes);

// Fills the box, and says what the mouse is over.
void draw_working_set(const WorkingSetBars& bars, const draw::Box& box);

} // namespace viz
