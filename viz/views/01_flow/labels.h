// What is written in the picture: around the memory the banks and the arrays with their rows, and in each word and element what it
// holds, where that is large enough.
#pragma once

#include "viz/views/01_flow/paint.h"

namespace viz {

void paint_row_names(const FlowPaint& paint);
void paint_column_numbers(const FlowPaint& paint); // over the ways that end below them
void paint_numbers(const FlowPaint& paint);

} // namespace viz
