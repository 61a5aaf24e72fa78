// Stores the sums of a warpgroup's products to C: see ptx::wgmma for the sums that a lane holds.
#pragma once

#include "device/tma_gemm.h"

// The patch through which results change lanes: 16 x 16 per warp, the warps' patches below each other. When a warp
// stores a square, and when it loads 16 or 4 bytes per lane, its rows use all banks.
__host__ __device__ constexpr Padded patch_layout(int warps)
{
    return {warps * 16, 16, 4};
}

#ifdef __CUDACC__

// Returns this warp's first column, relative to the columns of its warpgroup.
__device__ inline int col_of_warp()
{
    return threadIdx.x % 128 / 32 * 16;
}

// C with 16 bits per element, presented as FP32. Four columns are one access of 8 bytes; rows start on 8-byte
// boundaries for it.
template <class Element, class Probe>
class RoundedMatrix {
public:
    __device__ RoundedMatrix(const TmaGemm& gemm, Block<Probe>& block)
        : data(reinterpret_cast<Element*>(gemm.c)), rows(gemm.M), cols(gemm.N), probe(block.probe)
    {
    }

    __device__ float operator()(int row, int col, int line = __builtin_LINE()) const
    {
        return note(recording::Op::global_load, row, col, sizeof(Element), line)
                   ? ptx::widened(data[size_t(row) * cols + col])
                   : 0;
    }

    __device__ void store(int row, int col, float value, int line = __builtin_LINE()) const
    {
        if (note(recording::Op::global_store, row, col, sizeof(Element), line))
            ptx::round_to(data[size_t(row) * cols + col], value);
    }

    __device__ float4 load4(int row, int col, int line = __builtin_LINE()) const
    {
        Four four = {};
        if (note(recording::Op::global_load, row, col, sizeof(Four), line))
            four = *reinterpret_cast<const Four*>(&data[size_t(row) * cols + col]);
        return {ptx::widened(four.elements[0]), ptx::widened(four.elements[1]), ptx::widened(four.elements[2]),
                ptx::widened(four.elements[3])};
    }

    __device__ void store4(int row, int col, float4 value, int line = __builtin_LINE()) const
    {
        Four four;
        ptx::round_to(four.elements[0], value.x);
        ptx::round_to(four.elements[1], value.y);
        ptx::round_to(four.elements[2], value.z);
        ptx::round_to(four.elements[3], value.w);
        if (note(recording::Op::global_store, row, col, sizeof(Four), line))
            *reinterpret_cast<Four*>(&data[size_t(row) * cols + col]) = four;
    }

private:
    struct alignas(8) Four {
        Element elements[4];
    };

    // Reports the access; returns whether it lies inside.
    __device__ bool note(recording::Op op, int row, int col, int width, int line) const
    {
        const bool inside = row < rows && col < cols;
        probe.access(op, array_C, (size_t(row) * cols + col) * sizeof(Element), width, inside, line);
        return inside;
    }

    Element* data;
    int rows, cols;
    Probe& probe;
};

// Returns C in this type.
template <int type, class Probe>
__device__ auto results(const TmaGemm& gemm, Block<Probe>& block)
{
    if constexpr (type == type_fp32)
        return gemm.C(block);
    else
        return RoundedMatrix<Element<type>, Probe>(gemm, block);
}

// Stores the sums of a warp: 16 columns of C, which has this type. `patch` holds 16 x 16 results of this warp.
template <int type, class Patch, class Probe>
class SumStores {
public:
    __device__ SumStores(const TmaGemm& gemm, Block<Probe>& block, const Patch& patch)
        : gemm(gemm), block(block), patch(patch)
    {
    }

    // Stores all rows of a tile, starting at `from`.
    template <int sums>
    __device__ void tile(const float (&sum)[sums], Place from, int line = __builtin_LINE()) const
    {
        constexpr int at_a_time = sums % 32 == 0   ? 64
                                  : sums % 16 == 0 ? 32
                                                   : 16; // rows that are first read, if at all, and then stored
        // A traced form has a call at each access; with the loop for a 128 x 256 tile unrolled, ptxas took up to a
        // minute (2026-11-23). Registers cannot be indexed by a loop variable, so the sums move to memory.
        if constexpr (Probe::traced) {
            float moved[sums];
#pragma unroll
            for (int i = 0; i < sums; ++i)
                moved[i] = sum[i];
#pragma unroll 1
            for (int row = 0; row < 2 * sums; row += at_a_time)
                rows<at_a_time>(&moved[row / 2], {from.row + row, from.col}, line);
        } else {
#pragma unroll
            for (int row = 0; row < 2 * sums; row += at_a_time)
                rows<at_a_time>(&sum[row / 2], {from.row + row, from.col}, line);
        }
    }

    // Stores this many rows.
    template <int count>
    __device__ void rows(const float* sum, Place from, int line = __builtin_LINE()) const
    {
        const auto C = results<type>(gemm, block);
        if (gemm.N % 4 == 0)
            by_fours<count>(C, sum, from, line);
        else
            by_ones<count>(C, sum, from, line);
    }

private:
    // For C whose rows start on boundaries of four elements. A square is stored after the next one has been written to
    // the patch and its loads have completed.
    template <int count, class Matrix>
    __device__ void by_fours(const Matrix& C, const float* sum, Place from, int line) const
    {
        const int lane = threadIdx.x % 32;
        const int row =
            lane / 4 % 2 * 4 + lane / 8; // and the row 8 below: eight lanes use all banks, and whole sectors of C
        const int col = lane % 4 * 4;
        float4 old[count / 8] = {}, taken[count / 8];
        if (gemm.beta != 0) // all loads before the first store: otherwise each would wait for the one before
#pragma unroll
            for (int i = 0; i < count / 8; ++i)
                old[i] = C.load4(from.row + i * 8 + row, from.col + col, line);
#pragma unroll
        for (int i = 0; i < count / 8 + 2; ++i) {
            if (i % 2 == 0 && i < count / 8)
                put_square(&sum[i * 4], line);
            if (i < count / 8)
                taken[i] = patch.load4(i % 2 * 8 + row, col, line);
            if (i >= 2)
                C.store4(from.row + (i - 2) * 8 + row, from.col + col, gemm.scaled(taken[i - 2], old[i - 2]), line);
        }
    }

    // For rows that start anywhere: 16 lanes store neighbors in a row.
    template <int count, class Matrix>
    __device__ void by_ones(const Matrix& C, const float* sum, Place from, int line) const
    {
        const int lane = threadIdx.x % 32;
#pragma unroll
        for (int i = 0; i < count / 2; ++i) {
            if (i % 8 == 0)
                put_square(&sum[i], line);
            const int row = i % 8 / 4 * 8 + lane / 16 * 4 + i % 4, col = lane % 16;
            const int to_row = from.row + i / 8 * 16 + row, to_col = from.col + col;
            const float old = gemm.beta != 0 ? C(to_row, to_col, line) : 0;
            C.store(to_row, to_col, gemm.alpha * patch(row, col, line) + gemm.beta * old, line);
        }
    }

    // Writes 16 x 16 results, of which a lane has pairs of rows, to where the storing lanes read whole rows.
    __device__ void put_square(const float* sum, int line) const
    {
        const int lane = threadIdx.x % 32;
        __syncwarp(); // the previous results have been read
#pragma unroll
        for (int i = 0; i < 8; ++i)
            patch.store(i / 4 * 8 + lane % 4 * 2 + i % 2, i / 2 % 2 * 8 + lane / 4, sum[i], line);
        __syncwarp();
    }

    const TmaGemm& gemm;
    Block<Probe>& block;
    Patch patch;
};

template <int type, class Patch, class Probe>
__device__ SumStores<type, Patch, Probe> sum_stores(const TmaGemm& gemm, Block<Probe>& block, const Patch& patch)
{
    return {gemm, block, patch};
}

#endif
