// The numbers in the picture: what each word and each element holds, where it is large enough to be printed.
#pragma once

#include "viz/views/01_flow/paint.h"

namespace viz {

void paint_numbers(const FlowPaint& paint);

} // namespace viz
