// What waiting costs, as it was measured: for a level of memory, for a bank that others want, for instructions before.
#pragma once

#include "viz/views/06_gpu/gpu_pictures.h"

namespace viz {

// Cycles that a load waits over the bytes walked through. Marks "latency:BYTES". Draws nothing where it was not measured.
void draw_latency(const GpuPicture& picture, const draw::Box& box);

// Cycles that a load of shared memory waits, over the lanes that want different words of one bank. Marks
// "conflict:WAYS". Draws nothing where it was not measured.
void draw_conflicts(const GpuPicture& picture, const draw::Box& box);

// So high; 0 where it was not measured.
float chain_table_height(const GpuPicture& picture);

// Rows: load, load, add, store, one more each; columns: cycles where the data come from L1, L2, DRAM. Marks
// "chain:BYTES:INSTRUCTIONS".
void draw_chain_table(const GpuPicture& picture, const draw::Box& box);

} // namespace viz
