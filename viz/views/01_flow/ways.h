// Layers of the lanes, of the ways of their words, and of what the step costs. They refer to the part.
#pragma once

#include "viz/figure/figure.h"
#include "viz/views/01_flow/flow_part.h"

#include <vector>

namespace viz {

void add_ways(std::vector<Layer>& layers, const FlowPart& part);
void add_lanes(std::vector<Layer>& layers, const FlowPart& part);
void add_cost(std::vector<Layer>& layers,
              const FlowPart& part); // what the step's turns were, beside what they are about

} // namespace viz
