// swizzled_reads: vectorized with an XORed order in which a thread reads its fragments; the layouts stay.
//
// Idea: the reads of B conflict because eight lanes that are served together read every second 16-byte chunk, so they
// use four of the eight groups of banks, each of them twice. If some threads read their two chunks in the other order,
// the simultaneous requests spread over all banks, and nothing has to be stored differently.
//
// What was slow before: those conflicts, and the store that transposes A. The latter is not changed here.
//
// Look at: which threads change the order. The key is one bit of the thread's number: thread >> KEY & 1. With the row of threads
// as the key, KEY = 4, nothing is gained: banks are met by the lanes of one warp, eight at a time for 16-byte reads, and a row of
// 16 threads is half a warp. All eight have the same key, all read the other chunk first, and meet the same four groups of banks:
// the conflicts are those of vectorized, line by line. Choose KEY = 2, the key of the source that the idea comes from: lanes 4-7 of
// each eight change the order, and no conflict of the reads of B is left. A swizzle works among the lanes served together.
//
// Measured: on an H100 at 4096^3 KEY = 2 gave 39.6 TFLOPS and KEY = 4 36.8, vectorized 37.7, swizzled 41.9 (2026-11-27). The source
// had fewer conflicts and called it a disaster all the same: it was not the banks, see swizzled_reads_indexed. On an H200 KEY = 4
// gave 36.7, vectorized 37.4 (2026-11-23), with as many wavefronts (671 million) and conflicts (268 million) of the loads, 2.6 %
// more cycles for 0.6 % more instructions, and 127 registers instead of 120: the compiler puts loads and products into another
// order, which alone can make 4 %.
//
// Loads per result: as vectorized, K/64 from global memory, K/16 16-byte loads from shared memory; intensity 32 FLOP per
// byte.
//
// Still slow: what was slow in vectorized. swizzled changes where the elements are, for stores and loads alike.

#include "device/thread_tile.h"
#include "device/tile_part.h"
#include "stages/11_vectorized.cu"

namespace swizzled_reads {

struct Parameters {
    int BM = 128, BN = 128, BK = 8; // as in vectorized
    int TM = 8, TN = 8;
    int KEY = 4; // the bit of the thread's number that decides on the order
    __host__ __device__ constexpr vectorized::Parameters tiles() const { return {BM, BN, BK, TM, TN}; }
    __host__ __device__ constexpr int threads() const { return tiles().threads(); }
};

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) swizzled_reads(Gemm gemm, Probe probe)
{
    Block block(probe);
    __shared__ TileStorage<vectorized::layout_a(P.tiles())> a_tile;
    __shared__ TileStorage<vectorized::layout_b(P.tiles())> b_tile;
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
        const int flip = (thread >> P.KEY & 1) * 4; // neighboring chunks of 4 are swapped, in A and in B

        TilePart<P.BM, P.BK, P.threads()> a_part; // fetched as in vectorized
        TilePart<P.BK, P.BN, P.threads()> b_part;
        float sum[P.TM][P.TN] = {};
        for (int k0 = 0; k0 < gemm.K; k0 += P.BK) {
            a_part.load(A, block_row, k0); // all loads first, so that they are in flight together
            b_part.load(B, k0, block_col);
            a_part.store_transposed(As);
            b_part.store(Bs);
            block.sync();

#pragma unroll
            for (int k = 0; k < P.BK; ++k) {
                float a[P.TM], b[P.TN]; // in the order in which they are read
                for (int i = 0; i < P.TM; i += 4)
                    unpack(As.load4(k, thread_row + (i ^ flip)), &a[i]);
                for (int j = 0; j < P.TN; j += 4)
                    unpack(Bs.load4(k, thread_col + (j ^ flip)), &b[j]);
                add_outer_product(sum, a, b);
            }
            block.sync();
        }
        store_results(gemm, C, sum, [&](int i, int j) {
            return Place{block_row + thread_row + (i ^ flip), block_col + thread_col + (j ^ flip)};
        });
    });
}

} // namespace swizzled_reads

#ifndef __CUDACC__ // what the host needs to know
namespace swizzled_reads {

inline constexpr Parameters tiny{16, 16, 4, 8, 8, 1}; // 4 threads
inline constexpr std::string_view limit_of_chunks = "Two chunks of 16 bytes change places, so a thread has at least "
                                                    "8 x 8 results; 4 lanes work.";
inline constexpr Parameters variants[] = {
    {}, {128, 128, 8, 8, 8, 2}, {64, 64, 8, 8, 8, 4}, {64, 64, 16, 16, 8, 3}, tiny};

inline std::string refusal(Parameters p)
{
    if (const std::string why = vectorized::refusal(p.tiles()); !why.empty())
        return why;
    if (p.TM % 8 != 0 || p.TN % 8 != 0)
        return "TM and TN must be multiples of 8, so that there are two chunks of 4 to exchange";
    return p.KEY < 0 || p.KEY > 9 ? "KEY must be between 0 and 9, the bits of a thread's number" : "";
}

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "swizzled_reads",
        .idea = "some threads read their two pieces in the other order: KEY decides which",
        .builds_on = "vectorized",
        .parameters = thread_tile_fields<Parameters>(
            {{"KEY", &Parameters::KEY, "bit of the thread's number that decides on the order"}}),
        .variants = variants,
        .refusal = refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &swizzled_reads<P, Probe>; }),
        .tiles =
            [](Parameters p) {
                return std::vector{tile("As", vectorized::layout_a(p.tiles())),
                                   tile("Bs", vectorized::layout_b(p.tiles()))};
            },
        .tiny = Tiny<Parameters>{tiny, 16, 16, 8, limit_of_chunks},
    };
}

} // namespace swizzled_reads
#endif
