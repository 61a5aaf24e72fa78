// Layers for the lanes, the transfers of their words, and the cost of the step. The layers refer to the part.
#pragma once

#include "viz/figure/figure.h"
#include "viz/views/01_flow/flow_part.h"

#include <vector>

namespace viz {

void add_ways(std::vector<Layer>& layers, const FlowPart& part);
void add_lanes(std::vector<Layer>& layers, const FlowPart& part);
// Adds the costs of the step, beside the items that they are about.
void add_cost(std::vector<Layer>& layers, const FlowPart& part);

} // namespace viz
