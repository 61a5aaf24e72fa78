// mma_ldmatrix: tensor cores, fed by ldmatrix from swizzled tiles that cp.async fills stages ahead.
//
// Idea: one mma instruction multiplies a 16 x 16 by a 16 x 8 matrix for the whole warp (16 x 8 by 8 x 8 in TF32). Each
// lane holds a few elements of each operand, and ldmatrix distributes them: 8 lanes supply the addresses of 8 rows of
// 16 bytes, and every lane receives its elements from all of them.
//
// Was slow: an FFMA per product and lane. A tensor core does 2,048 products per instruction and warp; now the question
// is how to bring the operands there.
//
// Look at: the eight-row phases of ldmatrix. Without a swizzle the 8 rows of a phase are a multiple of 128 bytes apart,
// in the same banks: 8 wavefronts. With chunks of 16 bytes permuted in each row they use all banks: 1 wavefront.
// B has N along its rows, so ldmatrix transposes its 8 x 8 matrices during the load. TF32 has 32 bits and cannot be
// transposed in this way: there the lanes read B element by element, from the same swizzle.
//
// Types: A and B are rounded to FP16, BF16 or TF32, sums are FP32. The error against float64 shows the effect.
//
// Loads per result, FP16: (1/BM + 1/BN) K = 3K/256 elements of 2 bytes from global memory; from shared memory
// (1/WM + 1/WN) K = K/32, in ldmatrix of 256 elements. Intensity at global memory: 85 FLOP per byte.
//
// On an H200: 373 TFLOPS in FP16 at 4096^3, 55 to 60 % of cuBLAS, which multiplies with WGMMA (2026-11-21). Counted
// alone, without cuBLAS heating the GPU beside it: 433 TFLOPS at 1.74 GHz, 46 % of the 941 that the tensor cores have
// there, and the tensor pipe busy for 73 % of the time. So mma.sync keeps it busy for 1.6 times as long as its products
// need, and even always busy could not pass 63 %; 75 % of cuBLAS would be 86 % busy. The order of the products counts: row
// by row, an H100 had 4 % fewer TFLOPS than column by column, to and fro (2026-11-27).
//
// Still slow: that, and the warps themselves move every operand from shared memory to registers. WGMMA reads shared
// memory without them.

#include "device/gemm.h"
#include "device/raster.h"

namespace mma_ldmatrix {

struct Parameters {
    int TYPE = type_fp16;            // of A and B
    int BM = 128, BN = 256, BK = 32; // block tile
    int WM = 64, WN = 64;            // warp tile
    int STAGES = 4;                  // tiles in shared memory: six are 2 % faster, but fit Hopper alone
    int GROUP = 8;                   // rows of blocks that are processed together

    __host__ __device__ constexpr int threads() const { return BM / WM * (BN / WN) * 32; }
    __host__ __device__ constexpr int chunk() const { return TYPE == type_tf32 ? 4 : 8; } // elements in 16 bytes
    __host__ __device__ constexpr int depth() const { return chunk() * 2; }               // of one mma
    __host__ __device__ constexpr int steps() const { return BK / depth(); }              // per phase
    __host__ __device__ constexpr int copies_a() const { return BM * BK / chunk() / threads(); }
    __host__ __device__ constexpr int copies_b() const { return BK * BN / chunk() / threads(); }
    __host__ __device__ constexpr int after(int stage) const { return stage + 1 == STAGES ? 0 : stage + 1; }
};

__host__ __device__ constexpr SwizzledChunks layout_a(Parameters p)
{
    return {p.BM, p.BK, p.chunk()};
}

__host__ __device__ constexpr SwizzledChunks layout_b(Parameters p) // TF32: 4 rows of 8 elements are read at once
{
    return {p.BK, p.BN, 8};
}

template <Parameters P>
struct Tiles {
    TileStorage<layout_a(P), Element<P.TYPE>> a[P.STAGES];
    TileStorage<layout_b(P), Element<P.TYPE>> b[P.STAGES];
};

// What a warp multiplies at once: depth() columns of A, depth() rows of B.
template <Parameters P>
struct Fragments {
    uint32_t a[P.WM / 16][4], b[P.WN / 8][2];

    template <class TileA, class TileB>
    __device__ void load(const TileA& As, const TileB& Bs, int row, int col, int k, int lane)
    {
#pragma unroll
        for (int i = 0; i < P.WM / 16; ++i)
            As.load_matrices(a[i], row + i * 16 + lane % 16, k + lane / 16 * P.chunk());
#pragma unroll
        for (int j = 0; j < P.WN / 8; j += 2)
            if constexpr (P.TYPE == type_tf32) {
                load_elements(Bs, k, col + j * 8, lane, b[j]);
                load_elements(Bs, k, col + j * 8 + 8, lane, b[j + 1]);
            } else {
                uint32_t loaded[4]; // k 0-7 and 8-15 of 8 columns, then of the next 8
                Bs.template load_matrices<true>(loaded, k + lane % 16, col + j * 8 + lane / 16 * 8);
                for (int i = 0; i < 4; ++i)
                    b[j + i / 2][i % 2] = loaded[i];
            }
    }

    template <class TileB>
    __device__ static void load_elements(const TileB& Bs, int k, int col, int lane, uint32_t (&to)[2])
    {
        for (int i = 0; i < 2; ++i)
            to[i] = bits_of(Bs(k + i * 4 + lane % 4, col + lane / 4));
    }

    // Column by column, alternating down and up: b[j] serves all products of a column, and at the turns a[i] is reused.
    template <class Block>
    __device__ void multiply(Block& block, float (&sum)[P.WM / 16][P.WN / 8][4]) const
    {
#pragma unroll
        for (int j = 0; j < P.WN / 8; ++j)
#pragma unroll
            for (int n = 0; n < P.WM / 16; ++n) {
                const int i = j % 2 == 1 ? P.WM / 16 - 1 - n : n;
                block.multiply(Element<P.TYPE>{}, sum[i][j], a[i], b[j]);
            }
    }
};

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) mma_ldmatrix(TensorGemm gemm, Probe probe)
{
    using T = Element<P.TYPE>;
    Block block(probe);
    Tiles<P>& tiles = ptx::dynamic_shared<Tiles<P>>();
    const SharedRing As(tiles.a, block);
    const SharedRing Bs(tiles.b, block);
    const int thread = threadIdx.x;
    const int warp = thread / 32;
    const int lane = thread % 32;
    const Place place = place_of_block(P.BM, P.BN, P.GROUP);
    const int warp_row = warp / (P.BN / P.WN) * P.WM;
    const int warp_col = warp % (P.BN / P.WN) * P.WN;

    // This thread's first chunks of the tiles.
    const int a_row = thread / (P.BK / P.chunk()), a_k = thread % (P.BK / P.chunk()) * P.chunk();
    const int b_k = thread / (P.BN / P.chunk()), b_col = thread % (P.BN / P.chunk()) * P.chunk();
    auto a_from = gemm.A<T>(block).part(place.row + a_row, a_k);
    auto b_from = gemm.B<T>(block).part(b_k, place.col + b_col);
    const int phases = ceil_div(gemm.K, P.BK);
    int to = 0;                              // the stage that is filled next
    const auto copy_tiles = [&](int phase) { // one group of copies; an empty one after the last phase
        if (phase < phases) {
            for (int n = 0; n < P.copies_a(); ++n) {
                const int row = n * P.threads() / (P.BK / P.chunk());
                a_from.copy_async_16(row, 0, As[to], a_row + row, a_k);
            }
            for (int n = 0; n < P.copies_b(); ++n) {
                const int k = n * P.threads() / (P.BN / P.chunk());
                b_from.copy_async_16(k, 0, Bs[to], b_k + k, b_col);
            }
            a_from.move(0, P.BK);
            b_from.move(P.BK, 0);
        }
        block.commit_copies();
        to = P.after(to);
    };

    for (int phase = 0; phase < P.STAGES - 1; ++phase)
        copy_tiles(phase);

    float sum[P.WM / 16][P.WN / 8][4] = {};
    Fragments<P> fragments[2]; // the next fragments are loaded while these are multiplied
    block.template wait_copies<P.STAGES - 2>();
    block.sync();
    fragments[0].load(As[0], Bs[0], warp_row, warp_col, 0, lane);
    for (int phase = 0, stage = 0; phase < phases; ++phase, stage = P.after(stage)) {
#pragma unroll
        for (int step = 0; step < P.steps(); ++step) {
            const bool is_last = step == P.steps() - 1; // then all of this tile is in registers
            if (is_last) {
                block.template wait_copies<P.STAGES - 2>();
                block.sync();
            }
            const int from = is_last ? P.after(stage) : stage;
            const int k = is_last ? 0 : (step + 1) * P.depth();
            fragments[(step + 1) % 2].load(As[from], Bs[from], warp_row, warp_col, k, lane);
            if (step == 0)
                copy_tiles(phase + P.STAGES - 1);
            fragments[step % 2].multiply(block, sum);
        }
    }

    const auto C = gemm.C(block);
#pragma unroll // registers cannot be indexed: an indexed `sum` would move to memory
    for (int i = 0; i < P.WM / 8; ++i) {
#pragma unroll
        for (int j = 0; j < P.WN / 8; ++j) { // a lane holds two neighbors of 8 x 8 sums
            const int row = place.row + warp_row + i * 8 + lane / 4;
            const int col = place.col + warp_col + j * 8 + lane % 4 * 2;
            const float* s = &sum[i / 2][j][i % 2 * 2];
            const float2 old = gemm.beta != 0 ? C.load2(row, col) : float2{0, 0};
            const float2 c = {gemm.alpha * s[0] + gemm.beta * old.x, gemm.alpha * s[1] + gemm.beta * old.y};
            C.store2(row, col, c);
        }
    }
}

} // namespace mma_ldmatrix

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"

namespace mma_ldmatrix {

inline constexpr Parameters tiny{type_fp16, 16, 64, 32, 16, 64, 2, 1}; // 1 warp
inline constexpr Parameters variants[] = {
    {}, {type_bf16}, {type_tf32, 128, 128, 32, 64, 32}, {type_fp16, 64, 64, 64, 32, 32, 3, 1}, tiny};

inline int element_bytes(Parameters p)
{
    return 16 / p.chunk();
}

inline int dynamic_shared(Parameters p)
{
    return p.STAGES * (layout_a(p).size() + layout_b(p).size()) * element_bytes(p);
}

inline std::string refusal(Parameters p)
{
    if (p.TYPE != type_fp16 && p.TYPE != type_bf16 && p.TYPE != type_tf32)
        return "TYPE must be fp16, bf16 or tf32: tensor cores do not multiply FP32";
    if (p.BM < 16 || p.BN < 64 || p.WM < 16 || p.WN < 16 || p.BM > 512 || p.BN > 512)
        return "BM, WM and WN must be at least 16, BN at least 64, and BM and BN at most 512";
    if (p.BM % p.WM != 0 || p.BN % p.WN != 0 || p.WM % 16 != 0 || p.WN % 16 != 0 || p.BN % 64 != 0)
        return "BM must be a multiple of WM and BN of WN and 64, and WM and WN of 16, the size of an mma";
    if (p.threads() > 1024)
        return "BM/WM * BN/WN warps of 32 threads must not exceed 1024 threads";
    if (p.BK < 2 * p.depth() || p.BK > 256 || (p.BK & (p.BK - 1)) != 0)
        return "BK must be a power of two of at least twice the depth of one mma: 32, or 16 in TF32";
    if (p.threads() % (p.BK / p.chunk()) != 0 || p.threads() % (p.BN / p.chunk()) != 0)
        return "the threads must copy whole rows of the tiles: choose more warps, or smaller BK and BN";
    if (p.BM * p.BK / p.chunk() % p.threads() != 0 || p.BK * p.BN / p.chunk() % p.threads() != 0)
        return "the tiles must have as many chunks of 16 bytes as threads, or a multiple: all copy equally often";
    if (p.STAGES < 2 || p.STAGES > 8)
        return "STAGES must be between 2 and 8";
    if (p.GROUP < 1)
        return "GROUP must be at least 1";
    if (dynamic_shared(p) > most_dynamic_shared)
        return "STAGES tiles exceed 227 KiB, the most shared memory that a block gets on an H200";
    return "";
}

inline auto info()
{
    return StageInfo<Parameters, TensorGemm>{
        .slug = "mma_ldmatrix",
        .idea = "tensor cores: mma.sync, fed by ldmatrix from swizzled tiles",
        .builds_on = "wmma",
        .parameters = {{"TYPE", &Parameters::TYPE, "type of A and B"},
                       {"BM", &Parameters::BM, "rows of C per block"},
                       {"BN", &Parameters::BN, "columns of C per block"},
                       {"BK", &Parameters::BK, "slice of K per phase"},
                       {"WM", &Parameters::WM, "rows of C per warp"},
                       {"WN", &Parameters::WN, "columns of C per warp"},
                       {"STAGES", &Parameters::STAGES, "tiles in shared memory at once"},
                       {"GROUP", &Parameters::GROUP, "rows of blocks worked on together"}},
        .variants = variants,
        .refusal = refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &mma_ldmatrix<P, Probe>; }),
        .tiles = [](Parameters p) { return rings(layout_a(p), layout_b(p), p.STAGES, element_bytes(p)); },
        .dynamic_shared = dynamic_shared,
        .type = [](Parameters p) { return static_cast<Type>(p.TYPE); },
        .tiny =
            Tiny<Parameters>{
                tiny, 16, 64, 64,
                "An mma multiplies 16 rows, all 32 lanes together, and the swizzle of B needs 64 columns."},
    };
}

} // namespace mma_ldmatrix
#endif
