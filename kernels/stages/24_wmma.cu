// wmma: tensor cores through the WMMA interface, FP16 in, FP32 sums.
//
// Idea: a tensor core multiplies small matrices in one instruction. A warp passes it a 16 x 16 fragment of A and one of
// B, and adds the product to a fragment of sums: 16 x 16 x 16 multiplications, 128 per lane, where the FMA of the
// previous stages has one per lane. The elements of a fragment are spread over the registers of the 32 lanes.
//
// Was slow: the FP32 stages before are limited by the FMA units, one multiplication per lane and instruction, and every
// operand must be in a register first.
//
// Look at: the warp, not the lane, owns the fragments: all 32 lanes call each WMMA function together. The interface
// does not specify which lane holds which element, and GPUs differ. So the fragments are loaded from and stored to
// shared memory as a whole, and the block writes C from there, with guards at the edges, and with alpha and beta. A
// WMMA load or store is recorded as one step of the warp, with lane i representing row i of the fragment. Its cost in
// shared memory does not follow from that, so it is not counted. FP16 has 11 significant bits: the operands are rounded
// to them, the sums are FP32.
//
// Loads per result: (1/BM + 1/BN)K = K/64 elements of 2 bytes from global memory, which is K/512 loads of 16 bytes; from
// shared memory (1/WM + 1/WN)K = 3K/64 elements, in the 6 fragments that a warp loads for 16 k. Intensity at global memory:
// 2K FLOP / (K/64 * 2 bytes) = 64 FLOP per byte.
//
// On an H200: 142 TFLOPS at 4096^3, 20 % of cuBLAS in FP16 (2026-11-22).
//
// Still slow: every tile passes through registers on its way to shared memory while the tensor cores wait. WMMA needs
// rows that start at multiples of 32 bytes and are equally far apart: padding by 32 bytes puts eight rows in four
// places of the banks instead of one, but never in eight, and a swizzle is impossible. The next stage, mma_ldmatrix,
// loads its fragments itself and can do both.

#include "device/wmma.h"

#include "device/gemm.h"
#include "device/tile_part.h"

namespace wmma {

struct Parameters {
    int BM = 128, BN = 128, BK = 64; // block tile
    int WM = 64, WN = 32;            // warp tile

    __host__ __device__ constexpr int threads() const { return BM / WM * (BN / WN) * 32; }
};

// The padding keeps rows at multiples of 32 bytes.
__host__ __device__ constexpr Padded layout_a(Parameters p)
{
    return {p.BM, p.BK, 16};
}
__host__ __device__ constexpr Padded layout_b(Parameters p)
{
    return {p.BK, p.BN, 16};
}
__host__ __device__ constexpr Padded layout_c(Parameters p)
{
    return {p.BM, p.BN, 8};
}

template <Parameters P>
union Tiles { // the sums replace the last tiles
    struct {
        TileStorage<layout_a(P), Half> a;
        TileStorage<layout_b(P), Half> b;
    } operands;
    TileStorage<layout_c(P)> c;
};

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) wmma(TensorGemm gemm, Probe probe)
{
    using fragments::edge;
    constexpr int down = P.WM / edge, across = P.WN / edge; // fragments of a warp tile
    Block block(probe);
    const auto A = gemm.A<Half>(block), B = gemm.B<Half>(block);
    const auto C = gemm.C(block);
    Tiles<P>& tiles = ptx::dynamic_shared<Tiles<P>>();
    const SharedTile As(tiles.operands.a, block);
    const SharedTile Bs(tiles.operands.b, block);
    const SharedTile Cs(tiles.c, block);
    const int thread = threadIdx.x;
    const int block_row = blockIdx.y * P.BM;
    const int block_col = blockIdx.x * P.BN;
    const int warp = thread / 32;
    const int warp_row = warp / (P.BN / P.WN) * P.WM; // in the block tile
    const int warp_col = warp % (P.BN / P.WN) * P.WN;

    TilePart<P.BM, P.BK, P.threads(), 8> a_part; // 8 elements of 2 bytes at a time
    TilePart<P.BK, P.BN, P.threads(), 8> b_part;
    fragments::Sums sums[down][across] = {};
    for (int k0 = 0; k0 < gemm.K; k0 += P.BK) {
        a_part.load(A, block_row, k0); // all loads first, so that they are in flight together
        b_part.load(B, k0, block_col);
        a_part.store(As);
        b_part.store(Bs);
        block.sync(); // the tiles are complete

#pragma unroll
        for (int k = 0; k < P.BK; k += edge) {
            fragments::A a[down];
            fragments::B b[across];
#pragma unroll
            for (int i = 0; i < down; ++i)
                fragments::load(a[i], As, warp_row + i * edge, k);
#pragma unroll
            for (int j = 0; j < across; ++j)
                fragments::load(b[j], Bs, k, warp_col + j * edge);
#pragma unroll
            for (int i = 0; i < down; ++i) {
#pragma unroll
                for (int j = 0; j < across; ++j)
                    fragments::multiply(block, sums[i][j], a[i], b[j]);
            }
        }
        block.sync(); // no thread reads the tiles anymore
    }

#pragma unroll
    for (int i = 0; i < down; ++i) {
#pragma unroll
        for (int j = 0; j < across; ++j)
            fragments::store(sums[i][j], Cs, warp_row + i * edge, warp_col + j * edge);
    }
    block.sync(); // all sums have been stored

    for (int i = thread; i < P.BM * P.BN / 4; i += P.threads()) {
        const int row = i / (P.BN / 4);
        const int col = i % (P.BN / 4) * 4;
        const float4 sum = Cs.load4(row, col);
        const float4 old = gemm.beta != 0 ? C.load4(block_row + row, block_col + col) : float4{0, 0, 0, 0};
        const float4 c = {gemm.alpha * sum.x + gemm.beta * old.x, gemm.alpha * sum.y + gemm.beta * old.y,
                          gemm.alpha * sum.z + gemm.beta * old.z, gemm.alpha * sum.w + gemm.beta * old.w};
        C.store4(block_row + row, block_col + col, c);
    }
}

} // namespace wmma

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"

namespace wmma {

inline constexpr Parameters variants[] = {
    {}, {64, 64, 32, 32, 32}, {128, 64, 16, 32, 64}, {64, 128, 64, 32, 64}, {16, 16, 16, 16, 16}};

inline int dynamic_shared(Parameters p)
{
    return std::max(bytes_of<Half>(layout_a(p), layout_b(p)), bytes_of(layout_c(p)));
}
static_assert(sizeof(Tiles<Parameters{}>) ==
              std::max(bytes_of<Half>(layout_a({}), layout_b({})), bytes_of(layout_c({}))));

inline std::string refusal(Parameters p)
{
    for (const int value : {p.BM, p.BN, p.BK, p.WM, p.WN})
        if (value < 16 || value > 512 || value % 16 != 0)
            return "BM, BN, BK, WM and WN must be multiples of 16 up to 512: fragments are 16 x 16";
    if (p.BM % p.WM != 0 || p.BN % p.WN != 0)
        return "BM must be a multiple of WM, and BN of WN";
    if (p.threads() > 1024)
        return "BM/WM * BN/WN warps of 32 threads must not exceed 1024 threads";
    if (p.WM * p.WN > 4096)
        return "WM*WN must be at most 4096: more than 128 sums per thread do not fit the registers";
    if (p.BM * p.BK / 8 % p.threads() != 0 || p.BK * p.BN / 8 % p.threads() != 0)
        return "BM*BK/8 and BK*BN/8 must be multiples of the number of threads, so that all load equally often";
    if (dynamic_shared(p) > most_dynamic_shared)
        return "the tiles exceed 227 KiB, the most that a block gets on an H200";
    return "";
}

inline auto info()
{
    return StageInfo<Parameters, TensorGemm>{
        .slug = "wmma",
        .idea = "tensor cores: a warp multiplies 16 x 16 fragments of FP16, sums in FP32",
        .builds_on = "",
        .parameters = block_tile_fields<Parameters>(
            {{"WM", &Parameters::WM, "rows of C per warp"}, {"WN", &Parameters::WN, "columns of C per warp"}}),
        .variants = variants,
        .refusal = refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &wmma<P, Probe>; }),
        .tiles =
            [](Parameters p) {
                return std::vector{tile("As", layout_a(p), sizeof(Half)), tile("Bs", layout_b(p), sizeof(Half)),
                                   tile("Cs", layout_c(p))};
            },
        .dynamic_shared = dynamic_shared,
        .type = [](Parameters) { return type_fp16; },
        .tiny =
            Tiny<Parameters>{
                {16, 16, 16, 16, 16}, 16, 16, 32, "A warp multiplies fragments of 16 x 16, all 32 lanes together."},
    };
}

} // namespace wmma
#endif
