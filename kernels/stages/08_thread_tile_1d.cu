// thread_tile_1d: each thread computes TM rows of one column of C.
//
// Idea: a value of B, once read from shared memory, stays in a register and is multiplied with TM values of A. The
// block tile grows to 64 x 64, its slice of K shrinks to 8, and 512 threads do the work of 4,096.
//
// Was slow: shared_tile reads two values from shared memory for every multiplication.
//
// Look at: in the inner loop one read of B serves eight multiplications. The eight reads of A are broadcasts: all 32
// lanes of a warp are in the same rows.
//
// Loads per result: (1/BM + 1/BN)K = K/32 from global memory; from shared memory (1 + 1/TM)K = 9K/8, where shared_tile
// has 2K. Intensity at global memory: 2K FLOP / (K/32 * 4 bytes) = 16 FLOP per byte.
//
// On an H200: 17.7 TFLOPS at 4096^3, 35 % of cuBLAS, shared_tile 9.0 (2026-11-22).
//
// Still slow: a value of A is read from shared memory for each multiplication. The next stage computes several columns
// per thread, so that a value of A serves several multiplications.

#include "device/gemm.h"

namespace thread_tile_1d {

struct Parameters {
    int BM = 64, BN = 64, BK = 8; // block tile
    int TM = 8;                   // results per thread, one below the other
    __host__ __device__ constexpr int threads() const { return BM / TM * BN; }
    __host__ __device__ constexpr int loads_a() const { return BM * BK / threads(); } // per thread and phase
    __host__ __device__ constexpr int loads_b() const { return BK * BN / threads(); }
};

__host__ __device__ constexpr RowMajor layout_a(Parameters p)
{
    return {p.BM, p.BK};
}

__host__ __device__ constexpr RowMajor layout_b(Parameters p)
{
    return {p.BK, p.BN};
}

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) thread_tile_1d(Gemm gemm, Probe probe)
{
    Block block(probe);
    __shared__ TileStorage<layout_a(P)> a_tile;
    __shared__ TileStorage<layout_b(P)> b_tile;
    const SharedTile As(a_tile, block);
    const SharedTile Bs(b_tile, block);

    gemm.by_edges<P.BM, P.BN, P.BK>(block, blockIdx.y * P.BM, blockIdx.x * P.BN, [&]<Edges edges>() {
        const auto A = gemm.template A<edges>(block), B = gemm.template B<edges>(block);
        const auto C = gemm.template C<edges>(block);
        const int thread = threadIdx.x;
        const int block_row = blockIdx.y * P.BM;
        const int block_col = blockIdx.x * P.BN;
        const int thread_row = thread / P.BN * P.TM; // of this thread's results, in the block tile
        const int thread_col = thread % P.BN;

        float sum[P.TM] = {};
        for (int k0 = 0; k0 < gemm.K; k0 += P.BK) {
            float a_part[P.loads_a()], b_part[P.loads_b()]; // all loads first, so that they are in flight together
            for (int n = 0; n < P.loads_a(); ++n) {
                const int i = thread + n * P.threads();
                a_part[n] = A(block_row + i / P.BK, k0 + i % P.BK);
            }
            for (int n = 0; n < P.loads_b(); ++n) {
                const int i = thread + n * P.threads();
                b_part[n] = B(k0 + i / P.BN, block_col + i % P.BN);
            }
            for (int n = 0; n < P.loads_a(); ++n) {
                const int i = thread + n * P.threads();
                As.store(i / P.BK, i % P.BK, a_part[n]);
            }
            for (int n = 0; n < P.loads_b(); ++n) {
                const int i = thread + n * P.threads();
                Bs.store(i / P.BN, i % P.BN, b_part[n]);
            }
            block.sync();

            for (int k = 0; k < P.BK; ++k) {
                const float b = Bs(k, thread_col);
                for (int i = 0; i < P.TM; ++i)
                    sum[i] += As(thread_row + i, k) * b;
            }
            block.sync();
        }

#pragma unroll
        for (int i = 0; i < P.TM; ++i)
            gemm.store(C, block_row + thread_row + i, block_col + thread_col, sum[i]);
    });
}

} // namespace thread_tile_1d

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"

namespace thread_tile_1d {

inline constexpr Parameters variants[] = {{}, {32, 32, 8, 4}, {64, 64, 16, 16}, {4, 2, 2, 2}};

inline std::string refusal(Parameters p)
{
    for (const int value : {p.BM, p.BN, p.BK, p.TM})
        if (value < 1 || value > 1024)
            return "BM, BN, BK and TM must be between 1 and 1024";
    if (p.BM % p.TM != 0)
        return "BM must be a multiple of TM";
    if (p.threads() > 1024)
        return "BM/TM * BN is the number of threads per block and must not exceed 1024";
    if (p.BM * p.BK % p.threads() != 0 || p.BN * p.BK % p.threads() != 0)
        return "BM*BK and BN*BK must be multiples of the number of threads, so that all load equally often";
    return refusal_of_shared(bytes_of(layout_a(p), layout_b(p)));
}

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "thread_tile_1d",
        .idea = "8 results per thread in one column: a value of B serves eight times",
        .builds_on = "shared_tile",
        .parameters = block_tile_fields<Parameters>({{"TM", &Parameters::TM, "rows of C per thread"}}),
        .variants = variants,
        .refusal = refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &thread_tile_1d<P, Probe>; }),
        .tiles = two_tiles<layout_a, layout_b>,
        .tiny = Tiny<Parameters>{{4, 2, 2, 2}, 8, 4, 4},
    };
}

} // namespace thread_tile_1d
#endif
