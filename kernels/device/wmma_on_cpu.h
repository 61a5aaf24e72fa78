// The functions of device/wmma.h on the CPU. Here lane i holds columns 8 * (i % 2) to 8 * (i % 2) + 7 of row i / 2 of
// every fragment; on a GPU this is unspecified.
#pragma once

#include "device/element.h"

namespace ptx {

void wmma_load_a(uint32_t (&to)[8], const Half* from, int stride, int line);
void wmma_load_b(uint32_t (&to)[8], const Half* from, int stride, int line);
void wmma_multiply(float (&d)[8], const uint32_t (&a)[8], const uint32_t (&b)[8], int line);
void wmma_store(float* to, const float (&d)[8], int stride, int line);

} // namespace ptx
