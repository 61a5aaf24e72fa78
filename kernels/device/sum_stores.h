// How the sums of a warpgroup's products come to C: see ptx::wgmma for what a lane holds of them.
#pragma once

#include "device/tma_gemm.h"

// Where results change lanes: 16 x 16 of each warp, one warp's below another's.
__host__ __device__ constexpr Padded patch_layout(int rows)
{
    return {rows, 16, 8};
}

#ifdef __CUDACC__

// Of the rows that this warpgroup has.
__device__ inline int row_of_warp()
{
    return threadIdx.x % 128 / 32 * 16;
}

// C with 16 bits per element, in FP32 to those who use it. Four columns in one access of 8 bytes; rows start on 8-byte
// boundaries there.
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

    // Whether it lies inside.
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

// C in that type.
template <int type, class Probe>
__device__ auto results(const TmaGemm& gemm, Block<Probe>& block)
{
    if constexpr (type == type_fp32)
        return gemm.C(block);
    else
        return RoundedMatrix<Element<type>, Probe>(gemm, block);
}

// A lane's sums are pairs of columns. Neighbours exchange pairs, so that each has four columns in a row, 16 bytes: the
// even one of the first 8 columns, the odd one of the next 8. `pairs`: this lane's in both.
template <class Probe>
__device__ float4 four_columns(Block<Probe>& block, const float* pairs, int line)
{
    const int lane = threadIdx.x % 32;
    const bool odd = lane % 2 != 0;
    const float2 first = {pairs[0], pairs[1]}, next = {pairs[4], pairs[5]}, give = odd ? first : next;
    const float x = block.shuffle(give.x, lane ^ 1, line);
    const float y = block.shuffle(give.y, lane ^ 1, line);
    return odd ? float4{x, y, next.x, next.y} : float4{first.x, first.y, x, y};
}

// Stores what a warp has summed: 16 rows of C, which has this type. `first`: of this warp's 16 rows of the patch.
template <int type, class Patch, class Probe>
class SumStores {
public:
    __device__ SumStores(const TmaGemm& gemm, Block<Probe>& block, const Patch& patch, int first)
        : gemm(gemm), block(block), patch(patch), first(first)
    {
    }

    // All columns of a tile, from `from` on.
    template <int sums>
    __device__ void tile(const float (&sum)[sums], Place from, int line = __builtin_LINE()) const
    {
        constexpr int at_a_time = sums % 32 == 0 ? 64 : 32; // columns that are read, if at all, and then stored
        // A form that is watched has a call at each access; in an unrolled loop those of a 128 x 256 tile took ptxas up to a
        // minute. A loop cannot count through registers, so the sums move to memory for it.
        if constexpr (Probe::traced) {
            float moved[sums];
#pragma unroll
            for (int i = 0; i < sums; ++i)
                moved[i] = sum[i];
#pragma unroll 1
            for (int col = 0; col < 2 * sums; col += at_a_time)
                columns<at_a_time>(&moved[col / 2], {from.row, from.col + col}, line);
        } else {
#pragma unroll
            for (int col = 0; col < 2 * sums; col += at_a_time)
                columns<at_a_time>(&sum[col / 2], {from.row, from.col + col}, line);
        }
    }

    // So many columns.
    template <int cols>
    __device__ void columns(const float* sum, Place from, int line = __builtin_LINE()) const
    {
        const Patch own = patch.part(first, 0);
        const auto C = results<type>(gemm, block);
        if (gemm.N % 4 == 0)
            by_fours<cols>(C, sum, from, line);
        else
            by_rows<cols>(C, own, sum, from, line);
    }

private:
    // Where rows of C start on boundaries of four elements.
    template <int cols, class Matrix>
    __device__ void by_fours(const Matrix& C, const float* sum, Place from, int line) const
    {
        const int lane = threadIdx.x % 32;
        const int row = from.row + lane / 4; // and the one 8 below
        const int col = from.col + lane % 2 * 8 + lane % 4 / 2 * 4;
        float4 old[cols / 8] = {};
        if (gemm.beta != 0) // all loads before the first store: one by one, each would wait for the one before
#pragma unroll
            for (int i = 0; i < cols / 8; ++i)
                old[i] = C.load4(row + i % 2 * 8, col + i / 2 * 16, line);
#pragma unroll
        for (int i = 0; i < cols / 8; ++i) {
            const float4 s = four_columns(block, &sum[i / 2 * 8 + i % 2 * 2], line);
            C.store4(row + i % 2 * 8, col + i / 2 * 16, gemm.scaled(s, old[i]), line);
        }
    }

    // Where they start anywhere: by way of shared memory, so that 16 lanes store neighbours of a row, and not each lane some of
    // its own.
    template <int cols, class Matrix>
    __device__ void by_rows(const Matrix& C, const Patch& own, const float* sum, Place from, int line) const
    {
        const int lane = threadIdx.x % 32;
#pragma unroll
        for (int square = 0; square < cols / 16; ++square) {
            __syncwarp();
#pragma unroll
            for (int i = 0; i < 8; ++i)
                own.store(lane / 4 + i / 2 % 2 * 8, i / 4 * 8 + lane % 4 * 2 + i % 2, sum[square * 8 + i], line);
            __syncwarp();
#pragma unroll
            for (int i = 0; i < 8; ++i) { // two rows, of which no two elements are in one bank
                const int row = i / 2 * 4 + i % 2 + lane / 16 * 2, col = lane % 16;
                const float old = gemm.beta != 0 ? C(from.row + row, from.col + square * 16 + col, line) : 0;
                C.store(from.row + row, from.col + square * 16 + col,
                        gemm.alpha * own(row, col, line) + gemm.beta * old, line);
            }
        }
    }

    const TmaGemm& gemm;
    Block<Probe>& block;
    Patch patch;
    int first;
};

template <int type, class Patch, class Probe>
__device__ SumStores<type, Patch, Probe> sum_stores(const TmaGemm& gemm, Block<Probe>& block, const Patch& patch,
                                                    int first)
{
    return {gemm, block, patch, first};
}

#endif
