// linearized_b: B laid out in shared memory so that a warp's reads fall in different banks, element by element.
//
// Idea: in vectorized the lanes of a warp read B eight floats apart and conflict. Here the tile holds first the columns
// 0, 8, 16, ... of all threads, then 1, 9, 17, ...: when every lane reads its own i-th column, the sixteen different
// places are neighbours, in sixteen different banks.
//
// Look at: the conflicts of the reads are gone, and so are the 16-byte reads: a thread's eight columns no longer lie
// side by side, so it reads them one by one, and stores B one by one too, which conflicts. Compare the number of shared
// instructions with vectorized.
//
// Expected: faster, for want of conflicts. A public kernel with this idea was slower than its vectorized one (55 % of
// cuBLAS against 62 % on an H200), because it issues ten loads per k instead of four. This one, which fetches both tiles
// before it stores either, is faster: 38.9 TFLOPS against 36.1 for vectorized (H200, 4096^3, 2026-11-21). Ten loads
// take 12 wavefronts, the four of vectorized 20; which of the two counts depends on what else keeps the kernel waiting.
//
// Loads per result: K/64 from global memory; from shared memory 2K/8 values, in (2 + 8)K/64 loads.

#include "stages/11_vectorized.cu"

namespace linearized_b {

using vectorized::Parameters;

// Element (k, col): the columns with the same place within their thread tile lie side by side.
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

// As vectorized::multiply, but every access to the tile of B is 4 bytes wide, so that any layout will do.
template <Parameters P, Edges edges, class TileA, class TileB, class Probe>
__device__ void multiply_any_block(const Gemm& gemm, Block<Probe>& block, const TileA& As, const TileB& Bs)
{
    const auto A = gemm.template A<edges>(block), B = gemm.template B<edges>(block);
    const auto C = gemm.template C<edges>(block);
    const int thread = threadIdx.x;
    const int block_row = blockIdx.y * P.BM;
    const int block_col = blockIdx.x * P.BN;
    const int thread_row = thread / (P.BN / P.TN) * P.TM; // of this thread's results, in the block tile
    const int thread_col = thread % (P.BN / P.TN) * P.TN;

    float sum[P.TM][P.TN] = {};
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
            const int k = i / (P.BN / 4);
            const int col = i % (P.BN / 4) * 4;
            Bs.store(k, col, b_part[n].x);
            Bs.store(k, col + 1, b_part[n].y);
            Bs.store(k, col + 2, b_part[n].z);
            Bs.store(k, col + 3, b_part[n].w);
        }
        block.sync();

#pragma unroll
        for (int k = 0; k < P.BK; ++k) {
            float a[P.TM], b[P.TN];
            for (int i = 0; i < P.TM; i += 4)
                unpack(As.load4(k, thread_row + i), &a[i]);
            for (int j = 0; j < P.TN; ++j)
                b[j] = Bs(k, thread_col + j);
            for (int i = 0; i < P.TM; ++i)
                for (int j = 0; j < P.TN; ++j)
                    sum[i][j] += a[i] * b[j];
        }
        block.sync();
    }

#pragma unroll // registers have no index: an indexed `sum` would move to memory
    for (int i = 0; i < P.TM; ++i) {
#pragma unroll
        for (int j = 0; j < P.TN; j += 4) {
            const int row = block_row + thread_row + i;
            const int col = block_col + thread_col + j;
            const float* s = &sum[i][j];
            const float4 old = gemm.beta != 0 ? C.load4(row, col) : float4{0, 0, 0, 0};
            const float4 c = {gemm.alpha * s[0] + gemm.beta * old.x, gemm.alpha * s[1] + gemm.beta * old.y,
                              gemm.alpha * s[2] + gemm.beta * old.z, gemm.alpha * s[3] + gemm.beta * old.w};
            C.store4(row, col, c);
        }
    }
}

template <Parameters P, auto layout_a, auto layout_b, class Probe>
__device__ void multiply_any_b(const Gemm& gemm, Block<Probe>& block)
{
    __shared__ TileStorage<layout_a> a_tile;
    __shared__ TileStorage<layout_b> b_tile;
    const SharedTile As(a_tile, block);
    const SharedTile Bs(b_tile, block);

    if (gemm.is_inside(block, blockIdx.y * P.BM, blockIdx.x * P.BN, P.BM, P.BN, P.BK))
        multiply_any_block<P, Edges::inside>(gemm, block, As, Bs);
    else
        multiply_any_block<P, Edges::guarded>(gemm, block, As, Bs);
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

// Shared with the rung that uses the same body with another layout.
struct SharedDescription : vectorized::SharedDescription {
    static constexpr auto body_file = "stages/12_linearized_b.cu";
    static constexpr Parameters variants[] = {{}, {64, 64, 8, 8, 8}};
};

struct Description : SharedDescription {
    static constexpr auto slug = "linearized_b";
    static constexpr auto idea = "B spread over the banks element by element: no load conflicts, no wide loads";
    template <Parameters P, class Probe>
    static constexpr auto kernel = &linearized_b<P, Probe>;
    static std::vector<Array> tiles(Parameters p)
    {
        return {tile("As", vectorized::layout_a(p)), tile("Bs", linearized(p))};
    }
};

} // namespace linearized_b
#endif
