// What a bank conflict costs, as it was measured.
#pragma once

#include "viz/views/06_gpu/gpu_pictures.h"

namespace viz {

// Cycles that a load of shared memory waits, over the lanes that want different words of one bank. Marks
// "conflict:WAYS". Draws nothing where it was not measured.
void draw_conflict_chart(const GpuPicture& picture, const draw::Box& box);

} // namespace viz
