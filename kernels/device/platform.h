// The names that device code uses beyond CUDA C++ itself. On the CPU, device/cuda_on_cpu.h defines CUDA's built-in
// names; for NVRTC, which has no standard headers, this file defines the fixed-width integers.
#pragma once

#ifdef __CUDACC__
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long long;
using int64_t = long long;
using uintptr_t = unsigned long long;
#else
#include "device/cuda_on_cpu.h"

#include <cstdint>
#endif
