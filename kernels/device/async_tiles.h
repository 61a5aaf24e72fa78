// The tiles of A and B in a ring of stages in shared memory. cp.async fills them ahead of their use; async_copy shows
// the code in full. A recording shows the copies at the line in the kernel that calls these functions.
#pragma once

#include "device/gemm.h"
#include "device/raster.h"
#include "device/shares.h"

template <auto layout_a, auto layout_b, int stages>
struct AsyncStorage {
    TileStorage<layout_a> a[stages]; // transposed: rows are k
    TileStorage<layout_b> b[stages];
};

// What a thread copies: several elements of each tile of A (8 k of 4 rows per warp), and groups of four neighbors of B.
// At the edges of the matrices, where rows of B may start at any address, it copies single elements of B; a warp's
// elements are adjacent. All `threads` of the block must create this object and call its functions together.
template <auto layout_a, auto layout_b, int stages, int threads, Edges edges, class Probe>
class AsyncTiles {
    static constexpr int BM = layout_a.cols, BN = layout_b.cols, BK = layout_a.rows;

public:
    SharedRing<layout_a, stages, Probe> As;
    SharedRing<layout_b, stages, Probe> Bs;

    // Starts to copy the first stages - 1 tiles of the share for the results that start at `place`.
    __device__ AsyncTiles(const Gemm& gemm, Block<Probe>& block, AsyncStorage<layout_a, layout_b, stages>& storage,
                          Place place, Share share, int line = __builtin_LINE())
        : As(storage.a, block), Bs(storage.b, block), by_four(edges == Edges::inside || gemm.N % 4 == 0),
          A(gemm.template A<edges>(block).part(place.row + a_row, share.first * BK + a_k)),
          B(gemm.template B<edges>(block).part(share.first * BK + b_k, place.col + b_col)), block(block),
          number_of_phases(share.phases)
    {
#pragma unroll 1
        for (int phase = 0; phase < stages - 1; ++phase)
            start(phase, phase, line);
    }

    __device__ int phases() const
    {
        return number_of_phases;
    }

    // Starts one group of copies; the group is empty after the last phase.
    __device__ void start(int phase, int stage, int line = __builtin_LINE())
    {
        if (phase < number_of_phases) {
#pragma unroll
            for (int n = 0; n < BM * BK / threads; ++n) {
                const int row = n / (BK / 8) * (threads / 8);
                const int k = n % (BK / 8) * 8;
                A.copy_async_4(row, k, As[stage], a_k + k, a_row + row, line);
            }
            if (by_four)
                copy_b<4>(stage, line);
            else
                copy_b<1>(stage, line);
            A.move(0, BK);
            B.move(BK, 0);
        }
        block.commit_copies(line);
    }

    // Waits until the next tiles have arrived for all threads, and no thread reads the previous tiles anymore.
    __device__ void wait(int line = __builtin_LINE()) const
    {
        block.template wait_copies<stages - 2>(line);
        block.sync(line);
    }

    __device__ static int after(int stage)
    {
        return stage + 1 == stages ? 0 : stage + 1;
    }
    __device__ static int before(int stage)
    {
        return stage == 0 ? stages - 1 : stage - 1;
    }

private:
    template <int width>
    __device__ void copy_b(int stage, int line) const
    {
#pragma unroll
        for (int first = 0; first < BK * BN; first += threads * width) {
            const int k = first / BN, col = first % BN;
            if constexpr (width == 4)
                B.copy_async_16(k, col, Bs[stage], b_k + k, b_col + col, line);
            else
                B.copy_async_4(k, col, Bs[stage], b_k + k, b_col + col, line);
        }
    }

    bool by_four;                                       // whether B is copied in groups of four
    int a_row = threadIdx.x / 8, a_k = threadIdx.x % 8; // this thread's first elements, in the tiles
    int b_k = threadIdx.x * (by_four ? 4 : 1) / BN, b_col = threadIdx.x * (by_four ? 4 : 1) % BN;
    Matrix<const float, Probe, edges> A, B; // from this thread's first element on
    Block<Probe>& block;
    int number_of_phases;
};
