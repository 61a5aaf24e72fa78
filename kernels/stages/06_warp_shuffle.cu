// warp_shuffle: the lanes of a warp hold a slice of A and of B in registers and pass the values to each other.
//
// Idea: a shuffle reads a register of another lane. So a warp can load every value of its slices once, spread over its
// 32 lanes, and each lane fetches what it needs from the lane that holds it: reuse without any shared memory.
//
// Was slow: in register_tile_2x2 each lane loads all that it multiplies, even if its neighbor has just loaded it.
//
// Look at: one warp computes one fragment of C, 4*TM x 8*TN; its lanes form 4 rows of 8. For 8 k at a time, lane l
// holds column k = l % 8 of rows l / 8, l / 8 + 4, ... of A, and every 32nd column of each k of B. For each k a lane
// then needs TM values of A and TN of B. For A, the eight lanes of a row read from the same lane, which is one of them;
// for B, lanes that are 8 apart read from the same lane. All 32 lanes take part in every shuffle, even at the edge of
// the matrix, where they hold zeros. A shuffle that some lanes do not reach is an error.
//
// Loads per result: K/(8 TN) of A and K/(4 TM) of B from global memory, with 4 x 4 results per lane 3K/32; none from
// shared memory. Intensity: 2K FLOP / (3K/8) bytes = 5.3 FLOP per byte. Shuffles per result: K/TM + K/TN, here K/2.
//
// On an H200: 20.5 TFLOPS at 4096^3, 40 % of cuBLAS; register_tile_2x2 9.1, shared_tile 9.0 (2026-11-22).
//
// Still slow: each k passes values between lanes again, with one 4-byte shuffle for two multiplications; and the warps
// of a block share only the cache. A tile in shared memory serves the whole block, 16 bytes per access.

#include "device/gemm.h"

namespace warp_shuffle {

struct Parameters {
    int warps = 4;      // per block, side by side
    int TM = 4, TN = 4; // results per lane: every 4th row and every 8th column of the fragment

    __host__ __device__ constexpr int rows() const { return 4 * TM; } // of a warp's fragment
    __host__ __device__ constexpr int cols() const { return 8 * TN; }
};

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.warps * 32) warp_shuffle(Gemm gemm, Probe probe)
{
    constexpr int slice = 8;             // of K, one k for each lane of a row
    constexpr int per_k = P.cols() / 32; // registers that hold one k of B
    Block block(probe);
    const auto A = gemm.A(block), B = gemm.B(block);
    const auto C = gemm.C(block);

    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int lane_row = lane / 8; // 4 rows of lanes
    const int lane_col = lane % 8;
    const int row = blockIdx.y * P.rows();
    const int col = (blockIdx.x * P.warps + warp) * P.cols();

    float sum[P.TM][P.TN] = {};
    for (int k0 = 0; k0 < gemm.K; k0 += slice) {
        float a_held[P.TM], b_held[slice * per_k];
#pragma unroll
        for (int i = 0; i < P.TM; ++i)
            a_held[i] = A(row + lane_row + 4 * i, k0 + lane_col);
#pragma unroll
        for (int j = 0; j < slice * per_k; ++j)
            b_held[j] = B(k0 + j / per_k, col + j % per_k * 32 + lane);

#pragma unroll
        for (int k = 0; k < slice; ++k) {
            float a[P.TM], b[P.TN];
            for (int i = 0; i < P.TM; ++i)
                a[i] = block.shuffle(a_held[i], lane_row * 8 + k);
            for (int j = 0; j < P.TN; ++j)
                b[j] = block.shuffle(b_held[k * per_k + j / 4], lane_col + j % 4 * 8);
            for (int i = 0; i < P.TM; ++i)
                for (int j = 0; j < P.TN; ++j)
                    sum[i][j] += a[i] * b[j];
        }
    }

#pragma unroll // registers have no index: an indexed `sum` would move to memory
    for (int i = 0; i < P.TM; ++i) {
#pragma unroll
        for (int j = 0; j < P.TN; ++j)
            gemm.store(C, row + lane_row + 4 * i, col + lane_col + 8 * j, sum[i][j]);
    }
}

} // namespace warp_shuffle

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"

namespace warp_shuffle {

inline constexpr Parameters variants[] = {{}, {1, 4, 4}, {4, 4, 8}, {8, 2, 4}, {1, 1, 4}};
inline constexpr std::string_view limit_of_lanes =
    "Lanes hand values to each other, so all 32 of a warp take part: the "
    "smallest part of C has 4 x 32 elements.";

inline std::string refusal(Parameters p)
{
    if (p.warps < 1 || p.warps > 32)
        return "warps must be between 1 and 32: a block has at most 1024 threads";
    if (p.TM < 1 || p.TM > 16)
        return "TM must be between 1 and 16, to fit the registers";
    if (p.TN < 4 || p.TN > 16 || p.TN % 4 != 0)
        return "TN must be 4, 8, 12 or 16: the lanes hold 32 columns of B in each register";
    return p.TM * p.TN > 128 ? "TM times TN must be at most 128, to fit the registers" : "";
}

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "warp_shuffle",
        .idea = "lanes hold slices of A and B in registers and pass the values to each other",
        .builds_on = "coalesced",
        .parameters = {{"warps", &Parameters::warps, "warps per block, side by side"},
                       {"TM", &Parameters::TM, "rows of C per lane, four apart"},
                       {"TN", &Parameters::TN, "columns of C per lane, eight apart"}},
        .variants = variants,
        .refusal = refusal,
        .launch = [](Parameters p, const Problem& problem) -> Launch {
            return {.grid = {ceil_div(problem.N, p.warps * p.cols()), ceil_div(problem.M, p.rows())},
                    .block = {p.warps * 32}};
        },
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &warp_shuffle<P, Probe>; }),
        .tiny = Tiny<Parameters>{{1, 1, 4}, 4, 32, 16, limit_of_lanes},
    };
}

} // namespace warp_shuffle
#endif
