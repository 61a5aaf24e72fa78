// The registers of the selected lane: what is on its way to or from it, and the outer product of its operands.
#pragma once

#include "viz/views/01_flow/paint.h"

namespace viz {

void paint_registers(const FlowPaint& paint);

} // namespace viz
