// The few names that device code uses beyond CUDA C++ itself. On the CPU the CUDA words get their meaning from
// device/cuda_on_cpu.h; under NVRTC, which has no standard headers, the fixed-width integers are made here.
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
