// fastest: the ladder's ideas together, in FP32, as fast as cuBLAS.
//
// Idea: every idea of the ladder that pays, none that does not, and the gaps between them closed: no instruction that a
// loop could have done before, no wait that a product could have covered.
//
//   tile       128 x 256 per block, 16 x 8 per thread: 12 KiB of copies for 65,536 products per phase, and 24 values read
//              from shared memory for 128 products.
//   copies     cp.async in three stages, as async_copy; every thread walks along its own elements (Matrix::part), so
//              that an address costs one addition.
//   lanes      4 x 8 in a warp, neighbours in bit 0 share a row, neighbours in bit 1 a column: a 16-byte load then takes
//              2 wavefronts instead of 4 on both sides.
//   fragments  those of the next k are read while this k is multiplied, across the end of a phase too: the barrier stands
//              before the last k of a phase, not after it.
//   order      the products of a row of the thread tile run from left to right, those of the next from right to left:
//              where they turn, the value of B is still at hand, and fewer reads meet in one register bank.
//   raster     GROUP rows of blocks are worked on together, so that running blocks share A and B in the L2 cache.
//
// Look at: no conflicts; one barrier per phase of 8 k; the first fragments of a phase are read before the last products of
// the one before.
//
// Loads per result: (1/BM + 1/BN) K = 3K/256 from global memory; from shared memory (1/TM + 1/TN) K = 3K/16 values, in
// 16-byte loads 3K/64. Intensity at global memory: 43 FLOP per byte.
//
// Still slow: one instruction in ten is not a product, and where three registers of one bank meet, a product waits. Only
// other hardware multiplies faster: the tensor cores of the next rungs.

#include "device/gemm.h"
#include "device/raster.h"

namespace fastest {

struct Parameters {
    int BM = 128, BN = 256, BK = 8; // block tile
    int TM = 16, TN = 8;            // results per thread
    int STAGES = 3;                 // tiles in shared memory
    int BLOCKS = 1;                 // per SM that the compiler makes room for
    int GROUP = 8;                  // rows of blocks that are worked on together

    __host__ __device__ constexpr int WM() const { return 4 * TM; } // a warp's lanes form 4 rows of 8
    __host__ __device__ constexpr int WN() const { return 8 * TN; }
    __host__ __device__ constexpr int threads() const { return BM / WM() * (BN / WN()) * 32; }
    __host__ __device__ constexpr int copies_a() const { return BM * BK / threads(); } // per thread and phase
    __host__ __device__ constexpr int copies_b() const { return BK * BN / 4 / threads(); }
};

__host__ __device__ constexpr Padded layout_a(Parameters p) // A turned around
{
    return {p.BK, p.BM, 4};
}

__host__ __device__ constexpr RowMajor layout_b(Parameters p)
{
    return {p.BK, p.BN};
}

template <Parameters P>
struct Tiles {
    TileStorage<layout_a(P)> a[P.STAGES];
    TileStorage<layout_b(P)> b[P.STAGES];
};

// What a thread multiplies for one k.
template <Parameters P>
struct Fragments {
    float a[P.TM], b[P.TN];

    template <class TileA, class TileB>
    __device__ void load(const TileA& As, const TileB& Bs, int k, int row, int col)
    {
#pragma unroll
        for (int i = 0; i < P.TM; i += 4)
            unpack(As.load4(k, row + i * 4), &a[i]);
#pragma unroll
        for (int j = 0; j < P.TN; j += 4)
            unpack(Bs.load4(k, col + j * 8), &b[j]);
    }

    __device__ void multiply(float (&sum)[P.TM][P.TN]) const
    {
#pragma unroll
        for (int i = 0; i < P.TM; ++i)
#pragma unroll
            for (int n = 0; n < P.TN; ++n) {
                const int j = i % 2 == 0 ? n : P.TN - 1 - n;
                sum[i][j] += a[i] * b[j];
            }
    }
};

template <Parameters P, Edges edges, class Probe>
__device__ void multiply_block(const Gemm& gemm, Block<Probe>& block, Tiles<P>& tiles, Place place)
{
    const SharedRing As(tiles.a, block);
    const SharedRing Bs(tiles.b, block);
    const int thread = threadIdx.x;
    const int warp = thread / 32;
    const int lane = thread % 32;

    // What this thread copies first: one element of A, 8 k of 4 rows per warp, and four neighbours of B.
    const int a_row = thread / 8, a_k = thread % 8;
    const int b_k = thread / (P.BN / 4), b_col = thread % (P.BN / 4) * 4;
    auto a_from = gemm.template A<edges>(block).part(place.row + a_row, a_k);
    auto b_from = gemm.template B<edges>(block).part(b_k, place.col + b_col);
    const int phases = ceil_div(gemm.K, P.BK);
    const auto copy_tiles = [&](int phase, int stage) { // one group of copies; an empty one after the last phase
        if (phase < phases) {
#pragma unroll
            for (int n = 0; n < P.copies_a(); ++n) {
                const int row = n / (P.BK / 8) * (P.threads() / 8);
                const int k = n % (P.BK / 8) * 8;
                a_from.copy_async_4(row, k, As[stage], a_k + k, a_row + row);
            }
#pragma unroll
            for (int n = 0; n < P.copies_b(); ++n) {
                const int k = n * P.threads() / (P.BN / 4);
                b_from.copy_async_16(k, 0, Bs[stage], b_k + k, b_col);
            }
            a_from.move(0, P.BK);
            b_from.move(P.BK, 0);
        }
        block.commit_copies();
    };

#pragma unroll 1
    for (int phase = 0; phase < P.STAGES - 1; ++phase)
        copy_tiles(phase, phase);

    const int lane_row = ((lane >> 1 & 1) | (lane >> 3 & 2)) * 4, lane_col = ((lane & 1) | (lane >> 1 & 6)) * 4;
    const int row = warp / (P.BN / P.WN()) * P.WM() + lane_row; // of this lane's first results, in the block tile
    const int col = warp % (P.BN / P.WN()) * P.WN() + lane_col;
    // A warp whose results all lie outside of C only copies.
    const bool idle =
        edges == Edges::guarded && (place.row + row - lane_row >= gemm.M || place.col + col - lane_col >= gemm.N);
    float sum[P.TM][P.TN] = {};
    Fragments<P> fragments[2];
    block.template wait_copies<P.STAGES - 2>();
    block.sync();
    if (!idle)
        fragments[0].load(As[0], Bs[0], 0, row, col);
    for (int phase = 0, stage = 0; phase < phases; ++phase) {
        const int next_stage = stage + 1 == P.STAGES ? 0 : stage + 1;
#pragma unroll
        for (int k = 0; k < P.BK; ++k) {
            const bool is_last = k == P.BK - 1; // all fragments of this tile are in registers then
            if (is_last) {
                block.template wait_copies<P.STAGES - 2>();
                block.sync();
            }
            if (!idle)
                fragments[(k + 1) % 2].load(As[is_last ? next_stage : stage], Bs[is_last ? next_stage : stage],
                                            (k + 1) % P.BK, row, col);
            if (k == 1)
                copy_tiles(phase + P.STAGES - 1, stage == 0 ? P.STAGES - 1 : stage - 1);
            if (!idle)
                fragments[k % 2].multiply(sum);
        }
        stage = next_stage;
    }

    const auto C = gemm.template C<edges>(block);
#pragma unroll // registers have no index: an indexed `sum` would move to memory
    for (int i = 0; i < P.TM; ++i) {
#pragma unroll
        for (int j = 0; j < P.TN; j += 4) {
            const int c_row = place.row + row + i / 4 * 16 + i % 4;
            const int c_col = place.col + col + j * 8;
            const float* s = &sum[i][j];
            const float4 old = gemm.beta != 0 ? C.load4(c_row, c_col) : float4{0, 0, 0, 0};
            const float4 c = {gemm.alpha * s[0] + gemm.beta * old.x, gemm.alpha * s[1] + gemm.beta * old.y,
                              gemm.alpha * s[2] + gemm.beta * old.z, gemm.alpha * s[3] + gemm.beta * old.w};
            C.store4(c_row, c_col, c);
        }
    }
}

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads(), P.BLOCKS) fastest(Gemm gemm, Probe probe)
{
    Block block(probe);
    Tiles<P>& tiles = ptx::dynamic_shared<Tiles<P>>();
    const Place place = place_of_block(P.BM, P.BN, P.GROUP);

    if (gemm.is_inside(block, place.row, place.col, P.BM, P.BN, P.BK))
        multiply_block<P, Edges::inside>(gemm, block, tiles, place);
    else
        multiply_block<P, Edges::guarded>(gemm, block, tiles, place);
}

} // namespace fastest

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"

namespace fastest {

struct Description {
    static constexpr auto slug = "fastest";
    static constexpr auto idea = "all that pays: as fast as cuBLAS in FP32";
    static constexpr Field<Parameters> fields[] = {{"BM", &Parameters::BM, "rows of C per block"},
                                                   {"BN", &Parameters::BN, "columns of C per block"},
                                                   {"BK", &Parameters::BK, "slice of K per phase"},
                                                   {"TM", &Parameters::TM, "rows of C per thread"},
                                                   {"TN", &Parameters::TN, "columns of C per thread"},
                                                   {"STAGES", &Parameters::STAGES, "tiles in shared memory at once"},
                                                   {"BLOCKS", &Parameters::BLOCKS, "blocks per SM to make room for"},
                                                   {"GROUP", &Parameters::GROUP, "rows of blocks worked on together"}};
    static constexpr Parameters variants[] = {{}, {64, 64, 8, 8, 8, 3, 4, 4}, {64, 128, 16, 16, 8, 4, 2, 1}};
    using Arguments = Gemm;
    template <Parameters P, class Probe>
    static constexpr auto kernel = &fastest<P, Probe>;

    static std::string refusal(Parameters p)
    {
        if (p.BK % 8 != 0 || p.BK < 8 || p.BK > 64)
            return "BK must be a multiple of 8 up to 64: a warp copies 8 k of 4 rows of A at a time";
        if (p.TM < 4 || p.TM > 32 || p.TN < 4 || p.TN > 32 || p.TM % 4 != 0 || p.TN % 4 != 0)
            return "TM and TN must be multiples of 4 up to 32: every read of shared memory moves 16 bytes";
        if (p.BM < 1 || p.BN < 1 || p.BM % p.WM() != 0 || p.BN % p.WN() != 0)
            return "BM must be a multiple of 4*TM, and BN of 8*TN, the part of a warp";
        if (p.threads() > 1024)
            return "BM/(4*TM) * BN/(8*TN) warps of 32 threads must not exceed 1024 threads";
        if (p.BM * 8 % p.threads() != 0 || p.threads() % (p.BN / 4) != 0 || p.BN * p.BK / 4 % p.threads() != 0)
            return "BM*8 and BN*BK/4 must be multiples of the number of threads, and that of BN/4: all copy equally "
                   "often";
        if (p.STAGES < 2 || p.STAGES > 8)
            return "STAGES must be between 2 and 8";
        if (p.BLOCKS < 1 || p.BLOCKS > 16 || p.BLOCKS * (dynamic_shared(p) + 1024) > 228 * 1024)
            return "the tiles of BLOCKS blocks must fit the 228 KiB of shared memory that an SM of an H200 has";
        if (p.GROUP < 1)
            return "GROUP must be at least 1";
        return "";
    }
    static Launch launch(Parameters p, const Problem& problem)
    {
        return {.grid = {ceil_div(problem.N, p.BN), ceil_div(problem.M, p.BM)}, .block = {uint32_t(p.threads())}};
    }
    static int dynamic_shared(Parameters p) { return p.STAGES * p.BK * (p.BM + 4 + p.BN) * int(sizeof(float)); }
    static std::vector<Array> tiles(Parameters p)
    {
        std::vector<Array> result = ring("As", layout_a(p), p.STAGES);
        for (Array& stage : ring("Bs", layout_b(p), p.STAGES))
            result.push_back(std::move(stage));
        return result;
    }
};

} // namespace fastest
#endif
