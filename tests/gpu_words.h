// What only a GPU has, declared and never defined: with it the headers of kernels/device that only NVRTC compiles can be
// checked as C++ on their own, too. Included before them, see check_headers() in tests/CMakeLists.txt.
#pragma once

#include "device/views.h" // first: standard headers that it needs know __noinline__ as a word of the compiler

#include <cstdint>
#include <type_traits>

#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))

struct alignas(16) uint4 {
    unsigned int x, y, z, w;
};

int __popc(uint32_t bits);
int __ffs(uint32_t bits);
uint32_t __activemask();
uint32_t __ballot_sync(uint32_t lanes, bool vote);
bool __all_sync(uint32_t lanes, bool vote);
bool __any_sync(uint32_t lanes, bool vote);
void __syncwarp(uint32_t lanes = 0xffffffff);
template <class T>
uint32_t __match_any_sync(uint32_t lanes, T value);
template <class T>
T __shfl_sync(uint32_t lanes, T value, int lane);
template <class T>
T __shfl_xor_sync(uint32_t lanes, T value, int distance);
template <class T>
T __shfl_up_sync(uint32_t lanes, T value, unsigned distance);
template <class T>
T __shfl_down_sync(uint32_t lanes, T value, unsigned distance);
template <class T>
T atomicAdd(T* address, std::type_identity_t<T> value);
template <class T>
T atomicMax(T* address, std::type_identity_t<T> value);
