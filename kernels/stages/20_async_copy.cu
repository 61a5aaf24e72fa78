// async_copy: warp_tile with the tiles copied by cp.async, straight to shared memory, several phases ahead.
//
// Idea: a copy through registers makes its thread wait for the data and occupies its registers. cp.async only starts
// the copy; the thread continues, and later waits until the copy has completed. With STAGES tiles in shared memory,
// STAGES - 1 copies are in flight while the warps compute on the tile that came first.
//
// Was slow: warp_tile loads, waits, stores, and only then computes; the arithmetic units are idle meanwhile.
//
// Look at: each phase commits a group of copies and waits only for the oldest group: STAGES - 2 groups stay pending. A
// comes in pieces of 4 bytes, because a copy cannot transpose 16 bytes; four floats of padding put the 8 k x 4 rows
// that a warp writes at once in 32 different banks. (An H200 still counts 4 wavefronts for each of these writes, one
// for each row of A that it came from: the cost of a copy's write depends on both its source and its destination.
// gemmscope counts it in this way, separately from loads and stores.) One barrier per phase is enough: it says both
// that the next tile has arrived and that the oldest may be overwritten.
//
// Loads per result: K/64 from global memory; from shared memory 3K/16 values, in 16-byte loads 3K/64, as warp_tile.
// Intensity at global memory: 32 FLOP per byte.
//
// On an H200: 44.6 TFLOPS at 4096^3, 87 % of cuBLAS, warp_tile 40.5 (2026-11-22).
//
// Still slow: at the start of each phase all warps wait for their first fragments at the same time, and the copies of A
// take four times as many instructions as those of B.

#include "stages/18_warp_tile.cu"

namespace async_copy {

struct Parameters : warp_tile::Parameters {
    int STAGES = 3; // tiles in shared memory

    __host__ __device__ constexpr int copies_a() const { return BM * BK / threads(); } // per thread and phase
    __host__ __device__ constexpr int copies_b() const { return BK * BN / 4 / threads(); }
};

__host__ __device__ constexpr Padded layout_a(Parameters p) // A transposed
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

template <Parameters P, class Probe>
__device__ void multiply(const Gemm& gemm, Block<Probe>& block)
{
    Tiles<P>& tiles = ptx::dynamic_shared<Tiles<P>>();
    const SharedRing As(tiles.a, block);
    const SharedRing Bs(tiles.b, block);
    gemm.by_edges<P.BM, P.BN, P.BK>(block, blockIdx.y * P.BM, blockIdx.x * P.BN, [&]<Edges edges>() {
        const auto A = gemm.template A<edges>(block), B = gemm.template B<edges>(block);
        const auto C = gemm.template C<edges>(block);
        const int thread = threadIdx.x;
        const int block_row = blockIdx.y * P.BM;
        const int block_col = blockIdx.x * P.BN;
        const warp_tile::Lane<P> lane;

        // The first elements that this thread copies: one of A (8 k of 4 rows per warp), and four neighbors of B.
        const int a_row = thread / 8, a_k = thread % 8;
        const int b_k = thread / (P.BN / 4), b_col = thread % (P.BN / 4) * 4;

        auto a_from = A.part(block_row + a_row, a_k);
        auto b_from = B.part(b_k, block_col + b_col);
        const int phases = ceil_div(gemm.K, P.BK);
        const auto copy_tiles = [&](int phase) { // one group of copies; an empty one after the last phase
            const int stage = phase % P.STAGES;
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

        for (int phase = 0; phase < P.STAGES - 1; ++phase)
            copy_tiles(phase);

        warp_tile::Sums<P> sum = {};
        for (int phase = 0; phase < phases; ++phase) {
            block.template wait_copies<P.STAGES - 2>(); // this thread's copies of this phase have arrived,
            block.sync();                               // and all others'; no thread reads the oldest tile anymore
            copy_tiles(phase + P.STAGES - 1);

            const int stage = phase % P.STAGES;
#pragma unroll
            for (int k = 0; k < P.BK; ++k) {
                float a[P.WMITER() * P.TM], b[P.WNITER * P.TN];
                lane.read_a(As[stage], k, a);
                lane.read_b(Bs[stage], k, b);
                add_outer_product(sum, a, b);
            }
        }
        store_results(gemm, C, sum, [&](int i, int j) {
            return Place{block_row + lane.row_of(i), block_col + lane.col_of(j)};
        });
    });
}

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) async_copy(Gemm gemm, Probe probe)
{
    Block block(probe);
    multiply<P>(gemm, block);
}

} // namespace async_copy

#ifndef __CUDACC__ // what the host needs to know
namespace async_copy {

inline constexpr Parameters variants[] = {
    {}, {{64, 64, 8, 32, 32, 2, 4, 4}, 2}, {{64, 128, 16, 32, 64, 2, 4, 4}, 4}, {warp_tile::tiny, 2}};

inline int dynamic_shared(Parameters p)
{
    return p.STAGES * bytes_of(layout_a(p), layout_b(p));
}
static_assert(sizeof(Tiles<Parameters{}>) == Parameters{}.STAGES * bytes_of(layout_a({}), layout_b({})));

inline std::string refusal(Parameters p)
{
    if (const std::string why = warp_tile::refusal_of_tiles(p); !why.empty())
        return why;
    if (p.BK % 8 != 0 || p.BM % 32 != 0)
        return "BK must be a multiple of 8 and BM of 32: a warp copies 8 k of 4 rows of A at a time";
    if (p.STAGES < 2 || p.STAGES > 8)
        return "STAGES must be between 2 and 8";
    if (p.BM * 8 % p.threads() != 0 || p.threads() % (p.BN / 4) != 0 || p.BN * p.BK / 4 % p.threads() != 0)
        return "BM*8 and BN*BK/4 must be multiples of the number of threads, and that of BN/4: all copy equally "
               "often";
    if (dynamic_shared(p) > most_dynamic_shared)
        return "STAGES*BK*(BM+4+BN) floats exceed 227 KiB, the most that a block gets on an H200";
    return "";
}

inline std::vector<Field<Parameters>> fields()
{
    return warp_tile::fields<Parameters>({{"STAGES", &Parameters::STAGES, "tiles in shared memory at once"}});
}

inline std::vector<Array> tiles(Parameters p)
{
    return rings(layout_a(p), layout_b(p), p.STAGES);
}

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "async_copy",
        .idea = "cp.async: tiles come straight to shared memory, phases ahead",
        .builds_on = "warp_tile",
        .parameters = fields(),
        .variants = variants,
        .refusal = refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &async_copy<P, Probe>; }),
        .tiles = tiles,
        .dynamic_shared = dynamic_shared,
        .tiny = Tiny<Parameters>{{warp_tile::tiny, 2}, 32, 32, 32, warp_tile::limit_of_warp},
    };
}

} // namespace async_copy
#endif
