// warp_tile: a level between block and thread. Block tile -> warp tiles -> subtiles -> thread tiles.
//
// Idea: each of the block's four warps computes its own 64 x 64 part of C, as four subtiles of 64 x 16 side by side. In
// a subtile the 32 lanes form 8 rows of 4, each with 8 x 4 results. The 16-byte reads of one warp are therefore close
// together: 8 different addresses in A, 4 in B, all in different banks. Each thread walks along its own elements of A
// and B (Matrix::part and move), so the next address costs one addition.
//
// Was slow: 8 x 8 results take 16 values from shared memory for 64 multiplications, and those of a warp are a strip of
// 16 x 128. Here a thread takes 24 values for 128 multiplications.
//
// Look at: the reads of B have no conflicts without any swizzle; A keeps the swizzle of `swizzled` for its stores. A
// lane's results are in four strips. A warp reads 64 + 64 values for 4,096 multiplications.
//
// On an H200, 4096^3 (2026-11-21), of cuBLAS: with addresses recomputed in each phase and A not swizzled 71.9 %,
// walking 76.7 %, with the swizzle 79 to 80 %. Four rows of two subtiles, 4 x 4 results each (WNITER=2, TM=4): 86 %.
//
// Loads per result: K/64 from global memory; from shared memory (8 + 16)K/128 values = 3K/16, in 16-byte loads 3K/64.
// Intensity at global memory: 32 FLOP per byte.
//
// Still slow: 128 results and the values in flight take more than 200 registers, so two blocks share an SM, 8 warps.
// While one block fetches its tiles only the other computes, and each phase has two barriers.

#include "device/thread_tile.h"
#include "stages/16_swizzled.cu"

namespace warp_tile {

struct Parameters {
    int BM = 128, BN = 128, BK = 16; // block tile
    int WM = 64, WN = 64;            // warp tile
    int WNITER = 4;                  // subtiles of a warp tile side by side
    int TM = 8, TN = 4;              // thread tile within a subtile

    __host__ __device__ constexpr int threads() const { return BM / WM * (BN / WN) * 32; }
    __host__ __device__ constexpr int loads_a() const { return BM * BK / 4 / threads(); } // per thread and phase
    __host__ __device__ constexpr int loads_b() const { return BK * BN / 4 / threads(); }
    __host__ __device__ constexpr int WMITER() const { return WM * WN / (32 * TM * TN * WNITER); } // one below another
    __host__ __device__ constexpr int WSUBM() const { return WM / WMITER(); }
    __host__ __device__ constexpr int WSUBN() const { return WN / WNITER; }
};

__host__ __device__ constexpr swizzled::ByRow layout_a(Parameters p) // A transposed
{
    return {p.BK, p.BM};
}

__host__ __device__ constexpr RowMajor layout_b(Parameters p)
{
    return {p.BK, p.BN};
}

// A lane's results are in WMITER x WNITER thread tiles, one at the same position in each subtile of its warp.
template <auto P>
using Sums = float[P.WMITER() * P.TM][P.WNITER * P.TN];

template <auto P>
struct Lane {
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    // Position of its first result, in the block tile.
    const int row = warp / (P.BN / P.WN) * P.WM + lane / (P.WSUBN() / P.TN) * P.TM;
    const int col = warp % (P.BN / P.WN) * P.WN + lane % (P.WSUBN() / P.TN) * P.TN;

    __device__ int row_of(int i) const { return row + i / P.TM * P.WSUBM() + i % P.TM; } // of result (i, j)
    __device__ int col_of(int j) const { return col + j / P.TN * P.WSUBN() + j % P.TN; }

    template <class Tile>
    __device__ void read_a(const Tile& As, int k, float (&a)[P.WMITER() * P.TM], int line = __builtin_LINE()) const
    {
        for (int i = 0; i < P.WMITER() * P.TM; i += 4)
            unpack(As.load4(k, row_of(i), line), &a[i]);
    }
    template <class Tile>
    __device__ void read_b(const Tile& Bs, int k, float (&b)[P.WNITER * P.TN], int line = __builtin_LINE()) const
    {
        for (int j = 0; j < P.WNITER * P.TN; j += 4)
            unpack(Bs.load4(k, col_of(j), line), &b[j]);
    }
};

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) warp_tile(Gemm gemm, Probe probe)
{
    Block block(probe);
    __shared__ TileStorage<layout_a(P)> a_tile;
    __shared__ TileStorage<layout_b(P)> b_tile;
    const SharedTile As(a_tile, block);
    const SharedTile Bs(b_tile, block);

    gemm.by_edges<P.BM, P.BN, P.BK>(block, blockIdx.y * P.BM, blockIdx.x * P.BN, [&]<Edges edges>() {
        const auto C = gemm.template C<edges>(block);
        const int thread = threadIdx.x;
        const int block_row = blockIdx.y * P.BM;
        const int block_col = blockIdx.x * P.BN;
        const Lane<P> lane;

        // This thread's first elements of the tiles: four neighbors of A and of B.
        const int a_row = thread / (P.BK / 4), a_k = thread % (P.BK / 4) * 4;
        const int b_k = thread / (P.BN / 4), b_col = thread % (P.BN / 4) * 4;
        constexpr int a_step = P.threads() / (P.BK / 4), b_step = P.threads() / (P.BN / 4); // rows to its next ones

        auto A = gemm.template A<edges>(block).part(block_row + a_row, a_k);
        auto B = gemm.template B<edges>(block).part(b_k, block_col + b_col);
        Sums<P> sum = {};
        for (int k0 = 0; k0 < gemm.K; k0 += P.BK) {
            float4 a_part[P.loads_a()], b_part[P.loads_b()]; // all loads first, so that they are in flight together
            for (int n = 0; n < P.loads_a(); ++n)
                a_part[n] = A.load4(n * a_step, 0);
            for (int n = 0; n < P.loads_b(); ++n)
                b_part[n] = B.load4(n * b_step, 0);
            A.move(0, P.BK);
            B.move(P.BK, 0);
            for (int n = 0; n < P.loads_a(); ++n) {
                const int row = a_row + n * a_step;
                As.store(a_k, row, a_part[n].x);
                As.store(a_k + 1, row, a_part[n].y);
                As.store(a_k + 2, row, a_part[n].z);
                As.store(a_k + 3, row, a_part[n].w);
            }
            for (int n = 0; n < P.loads_b(); ++n)
                Bs.store4(b_k + n * b_step, b_col, b_part[n]);
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
        store_results(gemm, C, sum, [&](int i, int j) {
            return Place{block_row + lane.row_of(i), block_col + lane.col_of(j)};
        });
    });
}

} // namespace warp_tile

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"

namespace warp_tile {

inline constexpr Parameters tiny{32, 32, 8, 32, 16, 1, 4, 4}; // 2 warps
inline constexpr std::string_view limit_of_warp = "A warp's 32 lanes have 4 x 4 results each, as every access moves 16 "
                                                  "bytes: its tile has at least 32 x 16 elements.";
inline constexpr Parameters variants[] = {{}, {128, 128, 16, 64, 64, 2, 4, 4}, {64, 64, 16, 32, 32, 2, 4, 4}, tiny};

// Refusals that all stages with warp tiles share.
template <class WarpTiles>
std::string refusal_of_tiles(WarpTiles p)
{
    for (const int value : {p.BM, p.BN, p.BK, p.WM, p.WN, p.TM, p.TN})
        if (value < 4 || value > 1024 || value % 4 != 0)
            return "BM, BN, BK, WM, WN, TM and TN must be multiples of 4 up to 1024: every access moves 16 bytes";
    if (p.TM > 64 || p.TN > 64 || p.WNITER > 64)
        return "TM, TN and WNITER must not exceed 64";
    if (p.BM % p.WM != 0 || p.BN % p.WN != 0)
        return "BM must be a multiple of WM, and BN of WN";
    if (p.threads() > 1024)
        return "BM/WM * BN/WN warps of 32 threads must not exceed 1024 threads";
    if (p.WNITER < 1 || p.WN % p.WNITER != 0 || p.WM * p.WN % (32 * p.TM * p.TN * p.WNITER) != 0 || p.WMITER() < 1 ||
        p.WM % p.WMITER() != 0)
        return "WM*WN must be a multiple of 32*TM*TN*WNITER, and WN of WNITER, so that subtiles fill the warp tile";
    if (p.WSUBM() % p.TM != 0 || p.WSUBN() % p.TN != 0)
        return "a subtile, WM/WMITER x WN/WNITER, must be whole thread tiles";
    return "";
}

inline std::string refusal(Parameters p)
{
    if (const std::string why = refusal_of_tiles(p); !why.empty())
        return why;
    if ((p.BK != 4 && p.BK != 8 && p.BK != 16 && p.BK != 32) || p.BM % 32 != 0)
        return "BK must be 4, 8, 16 or 32 and BM a multiple of 32: the swizzle of A divides the 32 banks among "
               "BK/4 groups of rows";
    if (p.BM * p.BK / 4 % p.threads() != 0 || p.BN * p.BK / 4 % p.threads() != 0 || p.threads() % (p.BK / 4) != 0 ||
        p.threads() % (p.BN / 4) != 0)
        return "BM*BK/4 and BN*BK/4 must be multiples of the number of threads, and that of BK/4 and BN/4: all "
               "load equally often, whole rows at a time";
    return refusal_of_shared(bytes_of(layout_a(p), layout_b(p)));
}

template <class WarpTiles>
std::vector<Field<WarpTiles>> fields(std::vector<Field<WarpTiles>> more = {})
{
    more.insert(more.begin(), {{"WM", &WarpTiles::WM, "rows of C per warp"},
                               {"WN", &WarpTiles::WN, "columns of C per warp"},
                               {"WNITER", &WarpTiles::WNITER, "subtiles side by side"},
                               {"TM", &WarpTiles::TM, "rows of C per thread tile"},
                               {"TN", &WarpTiles::TN, "columns of C per thread tile"}});
    return block_tile_fields(std::move(more));
}

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "warp_tile",
        .idea = "block -> warp -> thread: each warp has its own part of the tile",
        .builds_on = "vectorized",
        .parameters = fields<Parameters>(),
        .variants = variants,
        .refusal = refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &warp_tile<P, Probe>; }),
        .tiles = two_tiles<layout_a, layout_b>,
        .layouts = {{"As", "ByRow", "stages/16_swizzled.cu"}},
        .tiny = Tiny<Parameters>{tiny, 32, 32, 16, limit_of_warp},
    };
}

} // namespace warp_tile
#endif
