// double_buffered_halves: half of the threads load while the other half computes.
//
// Idea: two copies of the shared tiles, and two halves of the block's warps. Each half computes two slices of K and
// then loads one, and the second half is one beat behind: while it fetches slice 1, the first computes slice 0; then
// both compute; then the first fetches slice 2 while the second computes slice 1. A barrier ends each beat; two slices
// take three beats.
//
// What was slow in warp_tile: no warp computes while the tiles are fetched.
//
// Look at: the accesses of warp 0 and of warp 4 between the same two barriers. The barrier is outside of the branches: all
// threads pass the same line.
//
// Expected: arithmetic all the time. This fails because all warps compute only in one beat of three. A loading warp
// waits for its own loads before it can store them, a barrier makes all others wait for it, and half as many warps load
// twice as much each. prefetched and async_copy let every warp load and compute at once. The source's own figures:
// slower than its warp tile on an A6000 (74 % of cuBLAS against 94 %). This one, with its tile of 128 x 256, reaches 86
// % on an H200 (4096^3, 2026-11-22), warp_tile 80 %, async_copy 87 %.
//
// The public kernel of this idea gives wrong results on an H200, but its pipeline is not the cause: its barriers are in
// both branches of an if, three in each, and no tile is written while a warp reads it. Its block tile is 256 columns
// wide without a guard, and its program begins with matrices of 128 x 128. There columns 128-255 of a row of the tile
// are columns 0-127 of the next row, in B as in C. Two warps write every element outside the first row, once correctly
// and once from the wrong part of B, and the later write wins. The check stops the program there. Here edge tiles have
// guards.
//
// Loads per result: (128 + 256)K/(128 * 256) = 3K/256 from global memory, warp_tile has K/64; from shared memory
// (16 + 8)K/128 values = 3K/16, in 16-byte loads 3K/64. Intensity at global memory: 2K FLOP / (3K/256 * 4 bytes) = 43 FLOP
// per byte.
//
// Still slow: the beats in which half of the warps wait; and one block of 8 warps per SM takes all of its 48 KiB of
// shared memory and most of the registers.

#include "stages/18_warp_tile.cu"

namespace double_buffered_halves {

struct Parameters {
    int BM = 128, BN = 256, BK = 16; // block tile
    int WM = 128, WN = 32;           // warp tile
    int WNITER = 1;                  // subtiles of a warp tile side by side
    int TM = 8, TN = 8;              // thread tile within a subtile

    __host__ __device__ constexpr int threads() const { return BM / WM * (BN / WN) * 32; }
    __host__ __device__ constexpr int half() const { return threads() / 2; }
    __host__ __device__ constexpr int loads_a() const { return BM * BK / 4 / half(); } // per loading thread and slice
    __host__ __device__ constexpr int loads_b() const { return BK * BN / 4 / half(); }
    __host__ __device__ constexpr int WMITER() const { return WM * WN / (32 * TM * TN * WNITER); } // one below another
    __host__ __device__ constexpr int WSUBM() const { return WM / WMITER(); }
    __host__ __device__ constexpr int WSUBN() const { return WN / WNITER; }
};

__host__ __device__ constexpr RowMajor layout_a(Parameters p) // A transposed
{
    return {p.BK, p.BM};
}

__host__ __device__ constexpr RowMajor layout_b(Parameters p)
{
    return {p.BK, p.BN};
}

// One half of the threads copies the slice of A and B that begins at k0 to shared memory.
template <Parameters P, class MatrixA, class MatrixB, class TileA, class TileB>
__device__ void load_slice(const MatrixA& A, const MatrixB& B, int k0, const TileA& As, const TileB& Bs)
{
    const int block_row = blockIdx.y * P.BM;
    const int block_col = blockIdx.x * P.BN;
    const int thread = threadIdx.x % P.half();
    float4 a_part[P.loads_a()], b_part[P.loads_b()]; // all loads first, so that they are in flight together
    for (int n = 0; n < P.loads_a(); ++n) {
        const int i = thread + n * P.half();
        a_part[n] = A.load4(block_row + i / (P.BK / 4), k0 + i % (P.BK / 4) * 4);
    }
    for (int n = 0; n < P.loads_b(); ++n) {
        const int i = thread + n * P.half();
        b_part[n] = B.load4(k0 + i / (P.BN / 4), block_col + i % (P.BN / 4) * 4);
    }
    for (int n = 0; n < P.loads_a(); ++n) {
        const int i = thread + n * P.half();
        const int row = i / (P.BK / 4);
        const int k = i % (P.BK / 4) * 4;
        As.store(k, row, a_part[n].x);
        As.store(k + 1, row, a_part[n].y);
        As.store(k + 2, row, a_part[n].z);
        As.store(k + 3, row, a_part[n].w);
    }
    for (int n = 0; n < P.loads_b(); ++n) {
        const int i = thread + n * P.half();
        Bs.store4(i / (P.BN / 4), i % (P.BN / 4) * 4, b_part[n]);
    }
}

// Position of this lane's first results in the block tile.
struct Place {
    int row, col;
};

template <Parameters P>
__device__ Place place_of_lane()
{
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    return {warp / (P.BN / P.WN) * P.WM + lane / (P.WSUBN() / P.TN) * P.TM,
            warp % (P.BN / P.WN) * P.WN + lane % (P.WSUBN() / P.TN) * P.TN};
}

template <Parameters P>
using Sums = float[P.WMITER() * P.TM][P.WNITER * P.TN];

template <Parameters P, class TileA, class TileB>
__device__ void add_slice(const TileA& As, const TileB& Bs, Place place, Sums<P>& sum)
{
#pragma unroll 4 // unrolling all 16 compiles slowly, and the code exceeds the instruction cache
    for (int k = 0; k < P.BK; ++k) {
        float a[P.WMITER() * P.TM], b[P.WNITER * P.TN];
        for (int i = 0; i < P.WMITER() * P.TM; i += 4)
            unpack(As.load4(k, place.row + i / P.TM * P.WSUBM() + i % P.TM), &a[i]);
        for (int j = 0; j < P.WNITER * P.TN; j += 4)
            unpack(Bs.load4(k, place.col + j / P.TN * P.WSUBN() + j % P.TN), &b[j]);
        for (int i = 0; i < P.WMITER() * P.TM; ++i)
            for (int j = 0; j < P.WNITER * P.TN; ++j)
                sum[i][j] += a[i] * b[j];
    }
}

template <Parameters P, class MatrixC>
__device__ void store_results(const Gemm& gemm, const MatrixC& C, Place place, const Sums<P>& sum)
{
    const int block_row = blockIdx.y * P.BM;
    const int block_col = blockIdx.x * P.BN;
#pragma unroll // registers cannot be indexed: an indexed `sum` would move to memory
    for (int i = 0; i < P.WMITER() * P.TM; ++i) {
#pragma unroll
        for (int j = 0; j < P.WNITER * P.TN; j += 4) {
            const int row = block_row + place.row + i / P.TM * P.WSUBM() + i % P.TM;
            const int col = block_col + place.col + j / P.TN * P.WSUBN() + j % P.TN;
            gemm.store4(C, row, col, &sum[i][j]);
        }
    }
}

template <Parameters P, Edges edges, class RingA, class RingB, class Probe>
__device__ void multiply_block(const Gemm& gemm, Block<Probe>& block, const RingA& As, const RingB& Bs)
{
    const auto A = gemm.template A<edges>(block), B = gemm.template B<edges>(block);
    const auto C = gemm.template C<edges>(block);
    const int half = threadIdx.x / P.half(); // whole warps are in one half
    const Place place = place_of_lane<P>();

    Sums<P> sum = {};
    int beat = 2;                            // the round before the first one: half 0 loads slice 0
    for (int k0 = -2 * P.BK; k0 < gemm.K;) { // a round: the slices at k0 and k0 + BK
        // 0, 1: which of the two slices this half computes; 2: it loads one. The second half is one beat behind.
        const int turn = half == 0 ? beat : (beat + 2) % 3;
        const int slice = k0 + (turn == 2 ? 2 - half : turn) * P.BK;
        if (slice >= 0 && slice < gemm.K) {
            if (turn == 2)
                load_slice<P>(A, B, slice, As[half], Bs[half]);
            else
                add_slice<P>(As[turn], Bs[turn], place, sum);
        }
        block.sync();
        beat = (beat + 1) % 3;
        if (beat == 0)
            k0 += 2 * P.BK;
    }

    store_results<P>(gemm, C, place, sum);
}

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) double_buffered_halves(Gemm gemm, Probe probe)
{
    Block block(probe);
    __shared__ TileStorage<layout_a(P)> a_tiles[2];
    __shared__ TileStorage<layout_b(P)> b_tiles[2];
    const SharedRing As(a_tiles, block);
    const SharedRing Bs(b_tiles, block);

    gemm.by_edges<P.BM, P.BN, P.BK>(block, blockIdx.y * P.BM, blockIdx.x * P.BN,
                                    [&]<Edges edges>() { multiply_block<P, edges>(gemm, block, As, Bs); });
}

} // namespace double_buffered_halves

#ifndef __CUDACC__ // what the host needs to know
namespace double_buffered_halves {

inline constexpr Parameters variants[] = {
    {}, {64, 128, 16, 32, 64, 2, 8, 4}, {64, 64, 8, 32, 32, 2, 4, 4}, {32, 32, 4, 32, 16, 1, 4, 4}};

inline std::string refusal(Parameters p)
{
    if (const std::string why = warp_tile::refusal_of_tiles(p); !why.empty())
        return why;
    if (p.threads() % 64 != 0)
        return "BM/WM * BN/WN must be an even number of warps, to be halved";
    if (p.BM * p.BK / 4 % p.half() != 0 || p.BN * p.BK / 4 % p.half() != 0)
        return "BM*BK/4 and BN*BK/4 must be multiples of half the threads, so that all load equally often";
    if (2 * bytes_of(layout_a(p), layout_b(p)) > most_static_shared)
        return "2*BK*(BM+BN) floats do not fit in the 48 KiB of shared memory that a block gets";
    return "";
}

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "double_buffered_halves",
        .idea = "half of the warps load while the others compute, in turns",
        .builds_on = "warp_tile",
        .parameters = warp_tile::fields<Parameters>(),
        .variants = variants,
        .refusal = refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &double_buffered_halves<P, Probe>; }),
        .tiles = [](Parameters p) { return rings(layout_a(p), layout_b(p), 2); },
        .tiny = Tiny<Parameters>{{32, 32, 4, 32, 16, 1, 4, 4}, 32, 32, 16, warp_tile::limit_of_warp},
    };
}

} // namespace double_buffered_halves
#endif
