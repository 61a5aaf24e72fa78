// What instructions that wait for each other cost, as it was measured.
#pragma once

#include "viz/views/06_gpu/gpu_pictures.h"

namespace viz {

// So high; 0 where it was not measured.
float chain_table_height(const GpuPicture& picture);

// Rows: load, load, add, store, one more each; columns: cycles where the data come from L1, L2, DRAM. Below, what a multiply-add
// costs whose registers are of one bank. Marks "chain:BYTES:INSTRUCTIONS" and "registers:IN ONE BANK".
void draw_chain_table(const GpuPicture& picture, const draw::Box& box);

} // namespace viz
