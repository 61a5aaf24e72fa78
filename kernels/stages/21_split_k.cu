// split_k: several blocks work on the same tile of C, each on its own slice of K.
//
// Idea: with SPLIT slices there are SPLIT times as many blocks. grid.z counts the slices: slice z takes phases z, z +
// SPLIT, z + 2 SPLIT, ... of BK each. Each block computes a part of every sum of its tile. Slice 0 writes its part to
// C, the others write theirs to a workspace; a second kernel adds them, always in the same order, so that the same
// input gives the same bits.
//
// Was slow: one block per tile of C leaves most of the GPU empty where C is small. M = N = 256 and K = 65,536 are 8.6
// GFLOP, but 4 tiles of 128 x 128, and so 4 blocks for the 132 SMs of an H200. With SPLIT = 8 they are 32; with tiles of
// 64 x 64 as well, 128.
//
// Changes: the body is warp_tile's except for three things. A thread's walk along A and B starts at its slice's first
// phase and advances by SPLIT phases; the sums go to C or to the workspace; only slice 0 adds beta times the old C.
//
// Look at: blocks with the same x and y and another z read other columns of the same rows of A. All elements of C
// belong to threads of slice 0. The totals of the lines count both kernels, the recorded blocks are those of the first.
//
// Loads per result: as warp_tile, K/64 from global memory and 3K/64 of 16 bytes from shared memory, shared among SPLIT
// threads; and the reduction's: SPLIT - 1 floats written to the workspace, those and C read, C written again. These are
// 8 SPLIT bytes per result, 32 with SPLIT = 4. They do not depend on K: for 256 x 256 results 2 MB, which the L2 cache
// holds; at 4096^3 537 MB, more than twice as much as A, B and C together. Intensity at global memory without the
// reduction: 32 FLOP per byte.
//
// Pays: where M and N give fewer blocks than the GPU can run at once, and K is long: at 256 x 256 x 65,536 an H200 gave
// warp_tile 0.8 TFLOPS, SPLIT = 4 3.1, SPLIT = 8 6.2, with tiles of 64 x 64 as well 14.8, and cuBLAS 45. At 1024^3, where
// warp_tile's 64 blocks leave half of the 132 SMs without work, 33.4 instead of 13.1.
// Does not pay: if C has enough tiles for all SMs. At 4096^3 there are 1,024 of them; slices then only add traffic, a
// second launch, and sums that are started and stored more often: 40.2 instead of 40.5 (2026-11-21).
//
// Still slow: a second kernel waits for the last block of the first; fastest splits its last tiles in the same launch.

#include "device/tile_part.h"
#include "stages/18_warp_tile.cu"

namespace split_k {

struct Parameters : warp_tile::Parameters {
    int SPLIT = 4; // slices of K
};

constexpr int array_workspace = first_tile + 2; // in a recording: after A, B, C, As and Bs
constexpr int reduce_threads = 256;

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) split_k(SplitGemm gemm, Probe probe)
{
    Block block(probe);
    block.let_second_kernel_begin();
    __shared__ TileStorage<warp_tile::layout_a(P)> a_tile;
    __shared__ TileStorage<warp_tile::layout_b(P)> b_tile;
    const SharedTile As(a_tile, block);
    const SharedTile Bs(b_tile, block);

    gemm.by_edges<P.BM, P.BN, P.BK>(block, blockIdx.y * P.BM, blockIdx.x * P.BN, [&]<Edges edges>() {
        const int slice = blockIdx.z;
        const int block_row = blockIdx.y * P.BM;
        const int block_col = blockIdx.x * P.BN;
        const warp_tile::Lane<P> lane;

        // This thread walks along its own elements of A and B, phase by phase from its slice's first phase on.
        TilePart<P.BM, P.BK, P.threads()> a_part;
        TilePart<P.BK, P.BN, P.threads()> b_part;
        auto A = a_part.first_of(gemm.template A<edges>(block), block_row, slice * P.BK);
        auto B = b_part.first_of(gemm.template B<edges>(block), slice * P.BK, block_col);

        warp_tile::Sums<P> sum = {};
        for (int k0 = slice * P.BK; k0 < gemm.K; k0 += P.SPLIT * P.BK) {
            a_part.load(A); // all loads first, so that they are in flight together
            b_part.load(B);
            A.move(0, P.SPLIT * P.BK);
            B.move(P.SPLIT * P.BK, 0);
            a_part.store_transposed(As);
            b_part.store(Bs);
            block.sync();

#pragma unroll
            for (int k = 0; k < P.BK; ++k) {
                float a[P.WMITER() * P.TM], b[P.WNITER * P.TN];
                lane.read_a(As, k, a);
                lane.read_b(Bs, k, b);
                add_outer_product(sum, a, b);
            }
            block.sync();
        }

        const auto to =
            slice == 0 ? gemm.template C<edges>(block) : gemm.template slice<edges>(block, slice, array_workspace);
        Gemm scale = gemm; // only one of the slices adds the old C
        if (slice != 0)
            scale.beta = 0;
        store_results(scale, to, sum, [&](int i, int j) {
            return Place{block_row + lane.row_of(i), block_col + lane.col_of(j)};
        });
    });
}

// C = C + the sums of the other slices. Each thread adds four neighbors in a row.
template <Parameters P, class Probe>
__global__ void __launch_bounds__(reduce_threads) split_k_reduce(SplitGemm gemm, Probe probe)
{
    Block block(probe);
    const uint64_t i = uint64_t(blockIdx.x) * reduce_threads + threadIdx.x;
    const int chunks = ceil_div(gemm.N, 4); // in a row of C
    const int row = static_cast<int>(i / chunks);
    const int col = static_cast<int>(i % chunks) * 4;

    block.wait_for_first_kernel();
    float4 sum = gemm.C(block).load4(row, col);
#pragma unroll
    for (int slice = 1; slice < P.SPLIT; ++slice) {
        const float4 part = gemm.slice(block, slice, array_workspace).load4(row, col);
        sum = {sum.x + part.x, sum.y + part.y, sum.z + part.z, sum.w + part.w};
    }
    gemm.C(block).store4(row, col, sum);
}

} // namespace split_k

#ifndef __CUDACC__ // what the host needs to know
namespace split_k {

inline constexpr Parameters variants[] = {
    {}, {{64, 64, 16, 32, 32, 2, 4, 4}, 2}, {{64, 64, 16, 32, 32, 2, 4, 4}, 8}, {warp_tile::tiny, 2}};

inline std::string refusal(Parameters p)
{
    if (p.SPLIT < 2 || p.SPLIT > 8)
        return "SPLIT must be 2 to 8; with one block per tile the rung is warp_tile";
    return warp_tile::refusal(p);
}

inline SecondKernel<Parameters> reduction()
{
    return {.name = "split_k_reduce",
            .launch = [](Parameters, const Problem& problem) -> Launch {
                const uint64_t threads = uint64_t{problem.M} * ceil_div(problem.N, 4);
                return {.grid = {int((threads + reduce_threads - 1) / reduce_threads)}, .block = {reduce_threads}};
            },
            .workspace =
                [](Parameters p, const Problem& problem) {
                    return matrix("workspace", uint64_t(p.SPLIT - 1) * problem.M, problem.N);
                },
            .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &split_k_reduce<P, Probe>; })};
}

inline auto info()
{
    return StageInfo<Parameters, SplitGemm>{
        .slug = "split_k",
        .idea = "K split over several blocks per tile: work for all SMs where C is small",
        .builds_on = "warp_tile",
        .parameters = warp_tile::fields<Parameters>({{"SPLIT", &Parameters::SPLIT, "blocks per tile of C"}}),
        .variants = variants,
        .refusal = refusal,
        .launch =
            [](Parameters p, const Problem& problem) {
                Launch launch = one_block_per_tile(p, problem);
                launch.grid.z = p.SPLIT;
                return launch;
            },
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &split_k<P, Probe>; }),
        .tiles = two_tiles<warp_tile::layout_a, warp_tile::layout_b>,
        .second = reduction(),
        .tiny = Tiny<Parameters>{{warp_tile::tiny, 2}, 32, 32, 32, warp_tile::limit_of_warp},
    };
}

} // namespace split_k
#endif
