// shared_tile: the block fetches a tile of A and a tile of B into shared memory, then computes from there.
//
// Idea: 32 x 32 threads need the same 32 rows of A and 32 columns of B. They fetch 32 x 32 pieces of both together,
// each thread one element of each, wait for each other, use every value 32 times, wait again, and go on along K.
//
// Was slow: in coalesced all 32 threads of a row load the same values of A, and all threads of a column the same values
// of B, each for itself.
//
// Look at: load, barrier, compute, barrier. The first barrier keeps a thread from reading what its neighbor has not
// stored yet; the second keeps it from overwriting what a slower neighbor still reads.
//
// Loads per result: 2K/32 = K/16 from global memory, where coalesced has 2K; 2K from shared memory. Intensity at global
// memory: 2K FLOP / (K/16 * 4 bytes) = 8 FLOP per byte.
//
// Still slow: two loads from shared memory for every multiplication. On an H200 (4096^3, 2026-11-22) the kernel reaches
// 17.5 % of cuBLAS: the pipeline to shared memory is busy for 88 % of the time, the multipliers for 14 %. The following
// stages compute several results per thread and keep the values in registers.

#include "device/gemm.h"

namespace shared_tile {

struct Parameters {
    int tile = 32; // edge of the square tiles of A, B and C
};

__host__ __device__ constexpr RowMajor layout(Parameters p)
{
    return {p.tile, p.tile};
}

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.tile * P.tile) shared_tile(Gemm gemm, Probe probe)
{
    Block block(probe);
    __shared__ TileStorage<layout(P)> a_tile, b_tile;
    const SharedTile As(a_tile, block), Bs(b_tile, block);

    // Compiled twice: with guards for blocks at an edge of the matrices, so that reads outside give 0 and stores there
    // do nothing, and without guards for all other blocks.
    gemm.by_edges<P.tile, P.tile, P.tile>(block, blockIdx.y * P.tile, blockIdx.x * P.tile, [&]<Edges edges>() {
        const auto A = gemm.template A<edges>(block), B = gemm.template B<edges>(block);
        const auto C = gemm.template C<edges>(block);
        const int y = threadIdx.x / P.tile; // this thread's position in the tiles
        const int x = threadIdx.x % P.tile;
        const int block_row = blockIdx.y * P.tile;
        const int block_col = blockIdx.x * P.tile;

        const int row = block_row + y;
        const int col = block_col + x;
        float sum = 0;
        for (int k0 = 0; k0 < gemm.K; k0 += P.tile) {
            const float a_part = A(row, k0 + x); // both loads first, so that they are in flight together
            const float b_part = B(k0 + y, col);
            As.store(y, x, a_part);
            Bs.store(y, x, b_part);
            block.sync();

            for (int k = 0; k < P.tile; ++k) {
                const float a = As(y, k);
                const float b = Bs(k, x);
                sum += a * b;
            }
            block.sync();
        }
        gemm.store(C, row, col, sum);
    });
}

} // namespace shared_tile

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"

namespace shared_tile {

inline constexpr Parameters variants[] = {{}, {8}, {16}, {2}, {4}};

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "shared_tile",
        .idea = "tiles of A and B in shared memory: fetched once, used 32 times",
        .builds_on = "coalesced",
        .parameters = {{"tile", &Parameters::tile, "edge of the tiles of A, B and C"}},
        .variants = variants,
        .refusal = [](Parameters p) { return refusal_of_square("tile", p.tile); },
        .launch = [](Parameters p, const Problem& problem) -> Launch {
            return {.grid = {ceil_div(problem.N, p.tile), ceil_div(problem.M, p.tile)}, .block = {p.tile * p.tile}};
        },
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &shared_tile<P, Probe>; }),
        .tiles = two_tiles<layout, layout>,
        .tiny = Tiny<Parameters>{{2}, 4, 4, 4},
    };
}

} // namespace shared_tile
#endif
