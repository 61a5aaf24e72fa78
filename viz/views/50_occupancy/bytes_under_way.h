// The benefit of resident warps: the bytes that they have in flight, compared with the bytes needed to keep DRAM busy.
#pragma once

#include "viz/figure/figure.h"
#include "viz/views/50_occupancy/occupancy_case.h"

#include <optional>

namespace viz {

// A stage's residency, with the loads that its warps have in flight together.
struct WaitingCase {
    const OccupancyCase& of;
    const std::optional<LoadsTogether>& together;
    const LadderFacts& ladder_facts;
    bool named = true; // the bars have names for tests and files; true for the first stage
    // The selected compute capability, if the measured GPU has another one; otherwise 0.
    uint32_t elsewhere = 0;
};

// Bytes in flight on one SM. `has` is empty if the stage's recording does not determine it.
struct UnderWay {
    std::optional<double> has;
    double needed = 0; // 0 if DRAM was not measured, or was measured on another GPU than the selected one
};
UnderWay bytes_under_way(const WaitingCase& waiting);

// Describes the case with this GPU's measured latency and bandwidth, and with its counters.
Rich waiting_words(const WaitingCase& waiting);

// Shows two bars, and below them whether more bytes in flight would help. `most` is the number of bytes of a
// full-length bar, common to all stages. If the measured GPU is not the selected one, shows a note instead.
Panel waiting_panel(const Theme& theme, const WaitingCase& waiting, double most, const Box& box);
float waiting_height(const Theme& theme);

} // namespace viz
