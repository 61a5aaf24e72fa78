// prefetched: swizzled, with the next tile under way while this one is multiplied.
//
// Idea: a thread asks for its part of the next tile before it multiplies, and stores it to shared memory afterwards, so
// that the loads travel during the arithmetic. The shared tiles exist twice: one is read while the other is filled. The
// same again one level up: the fragments exist twice too, and those of k + 1 are read while those of k are multiplied.
//
// What was slow in swizzled: while a tile was fetched nobody computed, and each phase had two barriers.
//
// Look at: the order of the accesses of a phase: global loads first, then all reads of shared memory, then the stores to
// the other tile, then the only barrier. One is enough: what a slow warp still reads is not what a fast one writes.
//
// Loads per result: as swizzled, K/64 from global memory, K/16 16-byte loads from shared memory; intensity 32 FLOP per
// byte. Prefetching moves no byte less; it moves them at another time.
//
// On an H200: 42.7 TFLOPS at 4096^3, swizzled 41.2; at 1024^3, where an SM has one block, 19.1 and 16.1 (2026-11-21).
//
// Price: shared memory doubles to 16 KiB, and a thread keeps 8 floats of the next tile and 16 of the next fragments in
// registers beside its 64 sums. With more blocks per SM, other blocks' arithmetic hides the same loads: what is won is won
// where few blocks fit.
//
// Still slow: the detour through registers. async_copy sends the data straight to shared memory.

#include "stages/16_swizzled.cu"

namespace prefetched {

using swizzled::swizzled_a;
using swizzled::swizzled_b;
using vectorized::Parameters;

// This thread's part of the two tiles of one phase, on its way through registers.
template <Parameters P>
class Parts {
public:
    template <class MatrixA, class MatrixB>
    __device__ void fetch(const MatrixA& A, const MatrixB& B, int block_row, int block_col, int k0)
    {
        for (int n = 0; n < P.loads_a(); ++n) {
            const int i = threadIdx.x + n * P.threads();
            a[n] = A.load4(block_row + i / (P.BK / 4), k0 + i % (P.BK / 4) * 4);
        }
        for (int n = 0; n < P.loads_b(); ++n) {
            const int i = threadIdx.x + n * P.threads();
            b[n] = B.load4(k0 + i / (P.BN / 4), block_col + i % (P.BN / 4) * 4);
        }
    }

    template <class TileA, class TileB>
    __device__ void store(const TileA& As, const TileB& Bs) const
    {
        for (int n = 0; n < P.loads_a(); ++n) {
            const int i = threadIdx.x + n * P.threads();
            const int row = i / (P.BK / 4);
            const int k = i % (P.BK / 4) * 4;
            As.store(k, row, a[n].x);
            As.store(k + 1, row, a[n].y);
            As.store(k + 2, row, a[n].z);
            As.store(k + 3, row, a[n].w);
        }
        for (int n = 0; n < P.loads_b(); ++n) {
            const int i = threadIdx.x + n * P.threads();
            Bs.store4(i / (P.BN / 4), i % (P.BN / 4) * 4, b[n]);
        }
    }

private:
    float4 a[P.loads_a()], b[P.loads_b()];
};

// What a thread multiplies for one k.
template <Parameters P>
struct Fragments {
    float a[P.TM], b[P.TN];

    template <class TileA, class TileB>
    __device__ void read(const TileA& As, const TileB& Bs, int k, int thread_row, int thread_col)
    {
        for (int i = 0; i < P.TM; i += 4)
            unpack(As.load4(k, thread_row + i), &a[i]);
        for (int j = 0; j < P.TN; j += 4)
            unpack(Bs.load4(k, thread_col + j), &b[j]);
    }
};

template <Parameters P, Edges edges, class RingA, class RingB, class Probe>
__device__ void multiply_block(const Gemm& gemm, Block<Probe>& block, const RingA& As, const RingB& Bs)
{
    const auto A = gemm.template A<edges>(block), B = gemm.template B<edges>(block);
    const auto C = gemm.template C<edges>(block);
    const int thread = threadIdx.x;
    const int block_row = blockIdx.y * P.BM;
    const int block_col = blockIdx.x * P.BN;
    const int thread_row = thread / (P.BN / P.TN) * P.TM; // of this thread's results, in the block tile
    const int thread_col = thread % (P.BN / P.TN) * P.TN;

    float sum[P.TM][P.TN] = {};
    Parts<P> parts;
    parts.fetch(A, B, block_row, block_col, 0);
    parts.store(As[0], Bs[0]);
    block.sync();

    int current = 0; // of the two tiles, the one to multiply
    for (int k0 = 0; k0 < gemm.K; k0 += P.BK) {
        const bool more = k0 + P.BK < gemm.K; // the same for all threads
        if (more)
            parts.fetch(A, B, block_row, block_col, k0 + P.BK);

        Fragments<P> fragments[2];
        fragments[0].read(As[current], Bs[current], 0, thread_row, thread_col);
#pragma unroll
        for (int k = 0; k < P.BK; ++k) {
            if (k + 1 < P.BK)
                fragments[(k + 1) % 2].read(As[current], Bs[current], k + 1, thread_row, thread_col);
            for (int i = 0; i < P.TM; ++i)
                for (int j = 0; j < P.TN; ++j)
                    sum[i][j] += fragments[k % 2].a[i] * fragments[k % 2].b[j];
        }

        current = 1 - current;
        if (more) {
            parts.store(As[current], Bs[current]);
            block.sync();
        }
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

// Blocks per SM that the compiler must leave registers for: 128 of them for each thread of the default.
__host__ __device__ constexpr int blocks_per_sm(Parameters p)
{
    return p.threads() < 512 ? 512 / p.threads() : 1;
}

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads(), blocks_per_sm(P)) prefetched(Gemm gemm, Probe probe)
{
    Block block(probe);
    __shared__ TileStorage<swizzled_a(P)> a_tiles[2];
    __shared__ TileStorage<swizzled_b(P)> b_tiles[2];
    const SharedRing As(a_tiles, block);
    const SharedRing Bs(b_tiles, block);

    if (gemm.is_inside(block, blockIdx.y * P.BM, blockIdx.x * P.BN, P.BM, P.BN, P.BK))
        multiply_block<P, Edges::inside>(gemm, block, As, Bs);
    else
        multiply_block<P, Edges::guarded>(gemm, block, As, Bs);
}

} // namespace prefetched

#ifndef __CUDACC__ // what the host needs to know
namespace prefetched {

struct Description : swizzled::Description {
    static constexpr auto slug = "prefetched";
    static constexpr auto idea = "swizzled, with the next tile fetched during the arithmetic";
    static constexpr auto body_file = "stages/17_prefetched.cu";
    template <Parameters P, class Probe>
    static constexpr auto kernel = &prefetched<P, Probe>;

    static std::string refusal(Parameters p)
    {
        if (2 * p.BK * (p.BM + p.BN) * 4 > 48 * 1024)
            return "2*BK*(BM+BN) floats do not fit in the 48 KiB of shared memory that a block gets";
        return swizzled::Description::refusal(p);
    }
    static std::vector<Array> tiles(Parameters p)
    {
        return {tile("As[0]", swizzled_a(p)), tile("As[1]", swizzled_a(p)), tile("Bs[0]", swizzled_b(p)),
                tile("Bs[1]", swizzled_b(p))};
    }
};

} // namespace prefetched
#endif
