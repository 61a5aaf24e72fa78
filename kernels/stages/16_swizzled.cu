// swizzled: vectorized with XOR-swizzled layouts in both shared tiles.
//
// Idea: a swizzle moves every element within its row, by flipping bits of its column. Nothing grows, and because stores
// and loads use the same layout, the kernel body does not change. In A, rows 4-7 of the eight flip bit 4 of the column:
// the two groups of k that a warp stores together use different halves of the banks. In B, every second group of eight
// 16-byte chunks swaps neighboring chunks: eight lanes that step by two chunks then use all eight groups of banks,
// instead of four of them twice.
//
// Was slow: the two places where vectorized conflicts, the stores of A and the reads of B.
//
// Look at: 1 wavefront per store of A and 4 per 16-byte read of B: no conflict is left, and every access still moves
// 16 bytes. Compare with vectorized step by step: same lines, same lanes, same values, other banks.
//
// Loads and intensity as vectorized. H200, 4096^3: 41.9 TFLOPS, vectorized 37.4 (2026-11-23).
//
// Still slow: 8 x 8 results per thread need 16 loaded floats per 64 multiplications, and no thread computes while the
// tile is fetched.

#include "stages/11_vectorized.cu"

namespace swizzled {

using vectorized::Parameters;

// XOR swizzle for a tile whose stores run down the rows: a warp stores rows/4 rows that are four apart, 128/rows
// columns of each, and every fourth row is shifted 128/rows banks further. With 8 rows: rows 4-7 flip bit 4 of the
// column. No bit below 2 is flipped, so each group of 4 floats stays together and 16-byte accesses stay whole.
// rows: 4, 8, 16 or 32; cols: a multiple of 32.
struct ByRow {
    int rows, cols;
    __host__ __device__ constexpr int size() const { return rows * cols; }
    __host__ __device__ constexpr int index(int row, int col) const
    {
        return row * cols + (col ^ (row / 4 * (128 / rows)));
    }
};

// XOR swizzle for a tile whose reads run along a row in steps of two 16-byte chunks: in every second group of eight
// chunks the neighbors are swapped, so that lanes 0-7 use all eight groups of banks instead of four of them twice.
// cols: a multiple of 8.
struct ByChunk {
    int rows, cols;
    __host__ __device__ constexpr int size() const { return rows * cols; }
    __host__ __device__ constexpr int index(int row, int col) const
    {
        const int chunk = col / 4;
        return row * cols + (chunk ^ ((chunk >> 3) & 1)) * 4 + col % 4;
    }
};

__host__ __device__ constexpr ByRow swizzled_a(Parameters p)
{
    return {p.BK, p.BM};
}

__host__ __device__ constexpr ByChunk swizzled_b(Parameters p)
{
    return {p.BK, p.BN};
}

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads()) swizzled(Gemm gemm, Probe probe)
{
    Block block(probe);
    vectorized::multiply<P, swizzled_a(P), swizzled_b(P)>(gemm, block);
}

} // namespace swizzled

#ifndef __CUDACC__ // what the host needs to know
namespace swizzled {

inline constexpr Parameters tiny{32, 64, 8, 8, 8}; // one warp, on the smallest tile in which a swizzle moves something
inline constexpr Parameters variants[] = {{}, {64, 64, 8, 8, 8}, {128, 128, 16, 8, 8}, {64, 64, 16, 4, 4}, tiny};
inline constexpr std::string_view limit_of_banks = "The swizzle spreads rows over all 32 banks: in a tile of 32 x 64 "
                                                   "it first has something to move, and a warp is full.";

inline std::string refusal(Parameters p)
{
    if (p.BK != 4 && p.BK != 8 && p.BK != 16 && p.BK != 32)
        return "BK must be 4, 8, 16 or 32: the swizzle of A divides the 32 banks among BK/4 groups of rows";
    if ((p.BK > 4 && p.BM % 32 != 0) || p.BN % 8 != 0)
        return "BM must be a multiple of 32, the number of banks, and BN of 8: a swizzle moves an element within its "
               "row";
    return vectorized::refusal(p);
}

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "swizzled",
        .idea = "vectorized, with XOR-swizzled tiles: no conflicts at all",
        .builds_on = "vectorized",
        .parameters = thread_tile_fields<Parameters>(),
        .variants = variants,
        .refusal = refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &swizzled<P, Probe>; }),
        .tiles = two_tiles<swizzled_a, swizzled_b>,
        .body_file = "stages/11_vectorized.cu",
        .layouts = {{"As", "ByRow", "stages/16_swizzled.cu"}, {"Bs", "ByChunk", "stages/16_swizzled.cu"}},
        .tiny = Tiny<Parameters>{tiny, 32, 64, 16, limit_of_banks},
    };
}

} // namespace swizzled
#endif
