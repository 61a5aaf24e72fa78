// Layers for the registers of the selected lane: values moving to or from it, and the outer product of its operands.
// The layers refer to the part.
#pragma once

#include "viz/figure/figure.h"
#include "viz/views/01_flow/flow_part.h"

#include <vector>

namespace viz {

void add_registers(std::vector<Layer>& layers, const FlowPart& part);

} // namespace viz
