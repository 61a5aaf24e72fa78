// The WMMA interface: a warp multiplies 16 x 16 matrices of FP16 and sums in FP32. The hardware determines which lane
// holds which element of a fragment: fragments are loaded from, and stored to, shared memory as a whole. CUDA provides
// these as nvcuda::wmma in <mma.h>; here they consist of the same instructions, one function each. All 32 lanes must
// call each function together. Tiles are row-major without a swizzle, and every row starts at a multiple of 32 bytes.
#pragma once

#include "device/views.h"

namespace fragments {

inline constexpr int edge = 16;

struct A { // B is the same
    uint32_t registers[8];
};
struct B {
    uint32_t registers[8];
};
struct Sums {
    float registers[8];
};

} // namespace fragments

#ifndef __CUDACC__
#include "device/wmma_on_cpu.h"
#else

namespace ptx { // `stride`: elements from row to row

__device__ inline void wmma_load_a(uint32_t (&to)[8], const Half* from, int stride, int /*line*/)
{
    asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]), "=r"(to[4]), "=r"(to[5]), "=r"(to[6]),
                   "=r"(to[7])
                 : "r"(shared_address(from)), "r"(stride)
                 : "memory");
}

__device__ inline void wmma_load_b(uint32_t (&to)[8], const Half* from, int stride, int /*line*/)
{
    asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.shared.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]), "=r"(to[4]), "=r"(to[5]), "=r"(to[6]),
                   "=r"(to[7])
                 : "r"(shared_address(from)), "r"(stride)
                 : "memory");
}

// d += a * b
__device__ inline void wmma_multiply(float (&d)[8], const uint32_t (&a)[8], const uint32_t (&b)[8], int /*line*/)
{
    asm volatile("wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, "
                 "{%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, "
                 "{%0, %1, %2, %3, %4, %5, %6, %7};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]), "r"(b[0]),
                   "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7]));
}

__device__ inline void wmma_store(float* to, const float (&d)[8], int stride, int /*line*/)
{
    asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;" ::"r"(
                     shared_address(to)),
                 "f"(d[0]), "f"(d[1]), "f"(d[2]), "f"(d[3]), "f"(d[4]), "f"(d[5]), "f"(d[6]), "f"(d[7]), "r"(stride)
                 : "memory");
}

} // namespace ptx

#endif

namespace fragments {

// Loads the 16 x 16 elements of a shared tile from (row, col) on.
template <class Tile>
__device__ void load(A& to, const Tile& tile, int row, int col, int line = __builtin_LINE())
{
    ptx::wmma_load_a(to.registers, tile.square(recording::Op::tile_load, row, col, edge, line), tile.stride(), line);
}

template <class Tile>
__device__ void load(B& to, const Tile& tile, int row, int col, int line = __builtin_LINE())
{
    ptx::wmma_load_b(to.registers, tile.square(recording::Op::tile_load, row, col, edge, line), tile.stride(), line);
}

template <class Tile>
__device__ void store(const Sums& from, const Tile& tile, int row, int col, int line = __builtin_LINE())
{
    ptx::wmma_store(tile.square(recording::Op::tile_store, row, col, edge, line), from.registers, tile.stride(), line);
}

// sums += a * b
template <class Probe>
__device__ void multiply(Block<Probe>& block, Sums& sums, const A& a, const B& b, int line = __builtin_LINE())
{
    block.probe.access(recording::Op::matrix_multiply, 0, 0, 0, true, line);
    ptx::wmma_multiply(sums.registers, a.registers, b.registers, line);
}

} // namespace fragments
