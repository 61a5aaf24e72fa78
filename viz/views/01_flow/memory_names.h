// What stands at the edges of the data path's memory: the banks above it, and at its left the arrays and their rows.
#pragma once

#include "viz/views/01_flow/paint.h"

namespace viz {

void paint_row_names(const FlowPaint& paint);
void paint_column_numbers(const FlowPaint& paint); // over the ways that end below them

} // namespace viz
