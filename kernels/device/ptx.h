// Instructions that CUDA C++ has no syntax for, one function each, named as in the PTX manual. device/ptx_on_cpu.h
// implements them on the CPU; `line`, the calling source line, is for its errors.
#pragma once

#include "device/element.h"

#ifndef __CUDACC__
#include "device/ptx_on_cpu.h"
#else

namespace ptx {

__device__ inline uint32_t shared_address(const void* pointer)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

// Returns shared memory beyond the 48 KiB of __shared__; the launch sets its size (Stage::dynamic_shared).
template <class Tiles>
__device__ inline Tiles& dynamic_shared()
{
    extern __shared__ __align__(1024) unsigned char memory[];
    return *reinterpret_cast<Tiles*>(memory);
}

// The driver may start a kernel before the previous one has ended: the latter allows it here; the next kernel then
// waits until it can read all results. Before compute capability 9.0, kernels run one after another anyway.
__device__ inline void griddepcontrol_launch_dependents()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}
__device__ inline void griddepcontrol_wait()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Returns the value of lane `source`.
__device__ inline float shfl_idx(uint32_t lanes, float value, int source, int /*line*/)
{
    return __shfl_sync(lanes, value, source);
}

// Synchronizes the lanes of a warp and makes their writes to shared memory visible. All 32 must call it together.
__device__ inline void sync_warp(int /*line*/)
{
    __syncwarp();
}

// Copies 16 bytes from global to shared memory without registers and without waiting; zeros if not `inside`.
__device__ inline void cp_async_16(void* to, const void* from, bool inside, int /*line*/)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from),
                 "r"(inside ? 16 : 0)
                 : "memory");
}

__device__ inline void cp_async_4(void* to, const void* from, bool inside, int /*line*/)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared_address(to)), "l"(from),
                 "r"(inside ? 4 : 0)
                 : "memory");
}

__device__ inline void cp_async_commit_group(int /*line*/)
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits until at most `pending` of this thread's groups have not completed.
template <int pending>
__device__ inline void cp_async_wait_group(int /*line*/)
{
    asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

// Loads four 8 x 8 matrices of 16-bit elements. Lane i supplies the address of row i % 8 of matrix i / 8. It receives
// the two elements (lane / 4, lane % 4 * 2 and + 1) of each matrix or, if transposed, of each transposed matrix.
template <bool transposed>
__device__ inline void ldmatrix_x4(uint32_t (&to)[4], const void* row, int /*line*/)
{
    if constexpr (transposed)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                     : "r"(shared_address(row))
                     : "memory");
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                     : "r"(shared_address(row))
                     : "memory");
}

// d += a * b: 16 x 8 = 16 x 16 * 16 x 8 of FP16 or BF16, 16 x 8 * 8 x 8 of TF32, summed in FP32. A lane holds of the 16
// x 8 sums rows lane / 4 and lane / 4 + 8, columns lane % 4 * 2 and + 1.
__device__ inline void mma(Half, float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2], int /*line*/)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ inline void mma(Bfloat16, float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2], int /*line*/)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ inline void mma(Tf32, float (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2], int /*line*/)
{
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

} // namespace ptx

#endif
