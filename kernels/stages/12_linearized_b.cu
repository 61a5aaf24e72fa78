// linearized_b: B laid out in shared memory so that a warp's reads fall in different banks, element by element.
//
// Idea: in vectorized the lanes of a warp read B eight floats apart and conflict. Here the tile holds first the columns
// 0, 8, 16, ... of all threads, then 1, 9, 17, ...: when every lane reads its own i-th column, the sixteen different
// elements are adjacent, in sixteen different banks.
//
// Was slow: those conflicts. A 16-byte read of B takes 8 wavefronts where 4 would do.
//
// Look at: the conflicts of the reads are gone, and so are the 16-byte reads: a thread's eight columns are no longer
// adjacent, so it reads them one by one. It also stores B one by one, which conflicts. Compare the number of shared
// instructions with vectorized.
//
// Expected: faster, as there are no conflicts. A public kernel with this idea was slower than its vectorized one (55 %
// of cuBLAS against 62 % on an H200), because it issues ten loads per k instead of four. This one fetches both tiles
// before it stores either, and is faster: 39.0 TFLOPS, vectorized 37.4 (H200, 4096^3, 2026-11-23). Its ten loads take
// 12 wavefronts, the four of vectorized 20; which count matters depends on what else the kernel waits for.
//
// Loads per result: as vectorized K/64 from global memory and K/4 values from shared memory, but these in (2 + 8)K/64
// loads instead of (2 + 2)K/64. Intensity at global memory: 32 FLOP per byte.
//
// Still slow: ten loads for 64 multiplications, and the stores. swizzled has neither the conflicts nor the narrow loads.

#include "device/thread_tile.h"
#include "device/tile_part.h"
#include "stages/11_vectorized.cu"

namespace linearized_b {

using vectorized::Parameters;

// Element (k, col): columns with the same position within their thread tile are adjacent.
struct Linearized {
    int rows, cols, tile; // tile: columns per thread
    __host__ __device__ constexpr int size() const { return rows * cols; }
    __host__ __device__ constexpr int index(int row, int col) const
    {
        return (row * tile + col % tile) * (cols / tile) + col / tile;
    }
};

__host__ __device__ constexpr Linearized linearized(Parameters p)
{
    return {p.BK, p.BN, p.TN};
}

// Like vectorized::multiply, but every access to the tile of B is 4 bytes wide, so that any layout works.
template <Parameters P, auto layout_a, auto layout_b, class Probe>
__device__ void multiply_any_b(const Gemm& gemm, Block<Probe>& block)
{
    __shared__ TileStorage<layout_a> a_tile;
    __shared__ TileStorage<layout_b> b_tile;
    const SharedTile As(a_tile, block);
    const SharedTile Bs(b_tile, block);

    gemm.by_edges<P.BM, P.BN, P.BK>(block, blockIdx.y * P.BM, blockIdx.x * P.BN, [&]<Edges edges>() {
        const auto A = gemm.template A<edges>(block), B = gemm.template B<edges>(block);
        const auto C = gemm.template C<edges>(block);
        const int thread = threadIdx.x;
        const int block_row = blockIdx.y * P.BM;
        const int block_col = blockIdx.x * P.BN;
        const int thread_row = thread / (P.BN / P.TN) * P.TM; // of this thread's results, in the block tile
        const int thread_col = thread % (P.BN / P.TN) * P.TN;

        TilePart<P.BM, P.BK, P.threads()> a_part; // fetched as in vectorized
        TilePart<P.BK, P.BN, P.threads()> b_part;
        float sum[P.TM][P.TN] = {};
        for (int k0 = 0; k0 < gemm.K; k0 += P.BK) {
            a_part.load(A, block_row, k0); // all loads first, so that they are in flight together
            b_part.load(B, k0, block_col);
            a_part.store_transposed(As);
            b_part.store_singly(Bs);
            block.sync();

#pragma unroll
            for (int k = 0; k < P.BK; ++k) {
                float a[P.TM], b[P.TN];
                for (int i = 0; i < P.TM; i += 4)
                    unpack(As.load4(k, thread_row + i), &a[i]);
                for (int j = 0; j < P.TN; ++j)
                    b[j] = Bs(k, thread_col + j);
                add_outer_product(sum, a, b);
            }
            block.sync();
        }
        store_results(gemm, C, sum, [&](int i, int j) {
            return Place{block_row + thread_row + i, block_col + thread_col + j};
        });
    });
}

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) linearized_b(Gemm gemm, Probe probe)
{
    Block block(probe);
    multiply_any_b<P, vectorized::layout_a(P), linearized(P)>(gemm, block);
}

} // namespace linearized_b

#ifndef __CUDACC__ // what the host needs to know
namespace linearized_b {

inline constexpr Parameters variants[] = {{}, {64, 64, 8, 8, 8}, vectorized::tiny};

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "linearized_b",
        .idea = "B spread over the banks element by element: no load conflicts, no wide loads",
        .builds_on = "vectorized",
        .parameters = thread_tile_fields<Parameters>(),
        .variants = variants,
        .refusal = vectorized::refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &linearized_b<P, Probe>; }),
        .tiles = two_tiles<vectorized::layout_a, linearized>,
        .layouts = {{"Bs", "Linearized", "stages/12_linearized_b.cu"}},
        .tiny = Tiny<Parameters>{vectorized::tiny, 16, 16, 8, vectorized::limit_of_width},
    };
}

} // namespace linearized_b
#endif
