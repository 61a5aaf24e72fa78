// warp_tile: a level between block and thread. Block tile -> warp tiles -> subtiles -> thread tiles.
//
// Idea: each of the block's four warps computes its own 64 x 64 part of C, as four subtiles of 64 x 16 side by side. In
// a subtile the 32 lanes form 8 rows of 4, each with 8 x 4 results. So the 16-byte reads of one warp fall close
// together: 8 different places in A, 4 in B, all in different banks.
//
// Look at: the reads of A and B are free of conflicts without any swizzle; a lane's results lie in four strips. A warp
// reads 64 + 64 values for 4,096 multiplications.
//
// Loads per result: K/64 from global memory; from shared memory (8 + 16)K/128 values = 3K/16, in 16-byte loads 3K/64.
// Intensity at global memory: 32 FLOP per byte.
//
// Still slow: the store that turns A around: with BK = 16 a warp stores four groups of k at once, which fall in the
// same eight banks: 4 wavefronts. And while the tiles are fetched nobody computes.

#include "device/gemm.h"

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

__host__ __device__ constexpr RowMajor layout_a(Parameters p) // A turned around
{
    return {p.BK, p.BM};
}

__host__ __device__ constexpr RowMajor layout_b(Parameters p)
{
    return {p.BK, p.BN};
}

template <Parameters P, Edges edges, class TileA, class TileB, class Probe>
__device__ void multiply_block(const Gemm& gemm, Block<Probe>& block, const TileA& As, const TileB& Bs)
{
    const auto A = gemm.template A<edges>(block), B = gemm.template B<edges>(block);
    const auto C = gemm.template C<edges>(block);
    const int thread = threadIdx.x;
    const int block_row = blockIdx.y * P.BM;
    const int block_col = blockIdx.x * P.BN;
    const int warp = thread / 32;
    const int lane = thread % 32;
    // Of this lane's first results, in the block tile.
    const int lane_row = warp / (P.BN / P.WN) * P.WM + lane / (P.WSUBN() / P.TN) * P.TM;
    const int lane_col = warp % (P.BN / P.WN) * P.WN + lane % (P.WSUBN() / P.TN) * P.TN;

    float sum[P.WMITER() * P.TM][P.WNITER * P.TN] = {};
    for (int k0 = 0; k0 < gemm.K; k0 += P.BK) {
        float4 a_part[P.loads_a()], b_part[P.loads_b()]; // all loads first, so that they are under way together
        for (int n = 0; n < P.loads_a(); ++n) {
            const int i = thread + n * P.threads();
            a_part[n] = A.load4(block_row + i / (P.BK / 4), k0 + i % (P.BK / 4) * 4);
        }
        for (int n = 0; n < P.loads_b(); ++n) {
            const int i = thread + n * P.threads();
            b_part[n] = B.load4(k0 + i / (P.BN / 4), block_col + i % (P.BN / 4) * 4);
        }
        for (int n = 0; n < P.loads_a(); ++n) {
            const int i = thread + n * P.threads();
            const int row = i / (P.BK / 4);
            const int k = i % (P.BK / 4) * 4;
            As.store(k, row, a_part[n].x);
            As.store(k + 1, row, a_part[n].y);
            As.store(k + 2, row, a_part[n].z);
            As.store(k + 3, row, a_part[n].w);
        }
        for (int n = 0; n < P.loads_b(); ++n) {
            const int i = thread + n * P.threads();
            Bs.store4(i / (P.BN / 4), i % (P.BN / 4) * 4, b_part[n]);
        }
        block.sync();

#pragma unroll
        for (int k = 0; k < P.BK; ++k) {
            float a[P.WMITER() * P.TM], b[P.WNITER * P.TN];
            for (int i = 0; i < P.WMITER() * P.TM; i += 4)
                unpack(As.load4(k, lane_row + i / P.TM * P.WSUBM() + i % P.TM), &a[i]);
            for (int j = 0; j < P.WNITER * P.TN; j += 4)
                unpack(Bs.load4(k, lane_col + j / P.TN * P.WSUBN() + j % P.TN), &b[j]);
            for (int i = 0; i < P.WMITER() * P.TM; ++i)
                for (int j = 0; j < P.WNITER * P.TN; ++j)
                    sum[i][j] += a[i] * b[j];
        }
        block.sync();
    }

#pragma unroll // registers have no index: an indexed `sum` would move to memory
    for (int i = 0; i < P.WMITER() * P.TM; ++i) {
#pragma unroll
        for (int j = 0; j < P.WNITER * P.TN; j += 4) {
            const int row = block_row + lane_row + i / P.TM * P.WSUBM() + i % P.TM;
            const int col = block_col + lane_col + j / P.TN * P.WSUBN() + j % P.TN;
            const float* s = &sum[i][j];
            const float4 old = gemm.beta != 0 ? C.load4(row, col) : float4{0, 0, 0, 0};
            const float4 c = {gemm.alpha * s[0] + gemm.beta * old.x, gemm.alpha * s[1] + gemm.beta * old.y,
                              gemm.alpha * s[2] + gemm.beta * old.z, gemm.alpha * s[3] + gemm.beta * old.w};
            C.store4(row, col, c);
        }
    }
}

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) warp_tile(Gemm gemm, Probe probe)
{
    Block block(probe);
    __shared__ TileStorage<layout_a(P)> a_tile;
    __shared__ TileStorage<layout_b(P)> b_tile;
    const SharedTile As(a_tile, block);
    const SharedTile Bs(b_tile, block);

    if (gemm.is_inside(block, blockIdx.y * P.BM, blockIdx.x * P.BN, P.BM, P.BN, P.BK))
        multiply_block<P, Edges::inside>(gemm, block, As, Bs);
    else
        multiply_block<P, Edges::guarded>(gemm, block, As, Bs);
}

} // namespace warp_tile

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"

namespace warp_tile {

struct Description {
    static constexpr auto slug = "warp_tile";
    static constexpr auto idea = "block -> warp -> thread: each warp has its own part of the tile";
    static constexpr Field<Parameters> fields[] = {
        {"BM", &Parameters::BM, "rows of C per block"},       {"BN", &Parameters::BN, "columns of C per block"},
        {"BK", &Parameters::BK, "slice of K per phase"},      {"WM", &Parameters::WM, "rows of C per warp"},
        {"WN", &Parameters::WN, "columns of C per warp"},     {"WNITER", &Parameters::WNITER, "subtiles side by side"},
        {"TM", &Parameters::TM, "rows of C per thread tile"}, {"TN", &Parameters::TN, "columns of C per thread tile"}};
    static constexpr Parameters variants[] = {{}, {64, 64, 16, 32, 32, 2, 4, 4}};
    using Arguments = Gemm;
    template <Parameters P, class Probe>
    static constexpr auto kernel = &warp_tile<P, Probe>;

    static std::string refusal(Parameters p)
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
        if (p.WNITER < 1 || p.WN % p.WNITER != 0 || p.WM * p.WN % (32 * p.TM * p.TN * p.WNITER) != 0 ||
            p.WMITER() < 1 || p.WM % p.WMITER() != 0)
            return "WM*WN must be a multiple of 32*TM*TN*WNITER, and WN of WNITER, so that subtiles fill the warp tile";
        if (p.WSUBM() % p.TM != 0 || p.WSUBN() % p.TN != 0)
            return "a subtile, WM/WMITER x WN/WNITER, must be whole thread tiles";
        if (p.BM * p.BK / 4 % p.threads() != 0 || p.BN * p.BK / 4 % p.threads() != 0)
            return "BM*BK/4 and BN*BK/4 must be multiples of the number of threads, so that all load equally often";
        if (p.BK * (p.BM + p.BN) * 4 > 48 * 1024)
            return "BK*(BM+BN) floats do not fit in the 48 KiB of shared memory that a block gets";
        return "";
    }
    static Launch launch(Parameters p, const Problem& problem)
    {
        return {.grid = {ceil_div(problem.N, p.BN), ceil_div(problem.M, p.BM)}, .block = {uint32_t(p.threads())}};
    }
    static std::vector<Array> tiles(Parameters p) { return {tile("As", layout_a(p)), tile("Bs", layout_b(p))}; }
};

} // namespace warp_tile
#endif
