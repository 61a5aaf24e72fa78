// What the data path says of a step, beside the pointer, and of the selected lane.
#pragma once

#include "viz/figure/figure.h"
#include "viz/views/01_flow/flow_part.h"

#include <vector>

namespace viz {

Rich headline_of_step(const recording::Recording& recording, const StepWays& ways, const recording::Access& access);
std::vector<CalloutLayer::Line> cost_lines(const FlowPart& part); // what the step's turns were
// "As(4, 2) A(2, 4) = 0.4312": an element, what it holds, and its value.
Rich element_words(const FlowFacts& facts, std::size_t array, const Cell& cell);
Rich word_words(const FlowFacts& facts, const WordPlace& place); // nothing where no word is
// What a lane moves at this step, with the values where they are known.
Rich lane_words(const FlowFacts& facts, const Focus& focus, uint32_t lane);
// An element of C in the registers of a lane: its sum before this k, where that is known.
Rich sum_words(const FlowFacts& facts, const Cell& c);

} // namespace viz
