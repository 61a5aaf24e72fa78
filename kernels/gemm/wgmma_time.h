// How long a launch of wgmma_tma takes, reckoned from its tiles, as an H200 was timed: what its choice of parameters rests on.
// Host side only.
#pragma once

#include "device/cluster_work.h"
#include "gemm/launch_time.h"
#include "gemm/wgmma_limits.h"

namespace kernels {

struct WgmmaTile {
    int BM, BN;
    double phase, block; // microseconds, see TileTime
};

// H200, 2026-11-23, fitted to 9,000 launches at 199 shapes, each launched when the one before had ended.
inline constexpr WgmmaTile wgmma_tiles[] = {{64, 64, 0.133, 0.69},   {96, 64, 0.203, 0.99},   {128, 64, 0.182, 1.26},
                                            {256, 64, 0.317, 2.39},  {64, 128, 0.198, 1.14},  {128, 128, 0.282, 2.05},
                                            {160, 128, 0.368, 2.54}, {192, 128, 0.414, 2.87}, {224, 128, 0.508, 3.44},
                                            {256, 128, 0.561, 3.78}, {64, 192, 0.268, 1.58},  {96, 192, 0.359, 2.28},
                                            {128, 192, 0.416, 2.8},  {192, 192, 0.642, 3.93}};
inline constexpr LaunchTime wgmma_launch{1.7, 1.36, 1.08, 0.36, 0.138, 1, 0.0577, 0.203, 0.78, 17.6};

// How the tiles of C are shared out among clusters.
template <class Parameters>
Shares wgmma_shares(const Parameters& p, const recording::Problem& problem)
{
    return {ceil_div(problem.N, p.cols()) * ceil_div(problem.M, p.rows()), ceil_div(problem.K, p.BK), wave_of(p)};
}
// Rows of the workspace, where the sums of cut tiles lie, see Parts.
template <class Parameters>
uint64_t wgmma_workspace_rows(const Parameters& p, const recording::Problem& problem)
{
    return uint64_t(wgmma_shares(p, problem).slots()) * p.cluster() * p.consumers() * p.BM / 8;
}

// Bytes that a block copies in a phase, on average, as they count at L2: what others of its cluster copy, and what lies
// outside of the matrices, does not. Where rows are no multiples of 128 bytes each touches a line more: that costs twice as
// much.
template <class Parameters>
double copied_by_wgmma(const Parameters& p, const recording::Problem& problem)
{
    const double rows = double(problem.M) / ceil_div(problem.M, p.rows()) / p.ABOVE;
    const double cols = double(problem.N) / ceil_div(problem.N, p.cols()) / p.BESIDE;
    const double a = problem.K % 64 == 0 ? 1 : 2.15, b = problem.N % 64 == 0 ? 1 : 2.11;
    return (rows * a / p.BESIDE + cols * b / p.ABOVE) * p.BK * 2;
}

template <class Parameters>
double wgmma_time(const Parameters& p, const WgmmaTile& tile, const Shares& shares, const recording::Problem& problem,
                  int sm_count)
{
    return wgmma_launch.of({.shares = shares,
                            .phases = ceil_div(ceil_div(problem.K, p.BK), p.DEPTH),
                            .blocks_per_sm = 1,
                            .tile_mib = p.BM * p.BN / 262144.,
                            .blocks = p.cluster(),
                            .depth = p.DEPTH,
                            .copied = copied_by_wgmma(p, problem) * 1e-6,
                            .memory = bytes_of(problem, 2) * 1e-6},
                           {tile.phase, 0, tile.block}, sm_count);
}

// Which tiles, and which way to share them out, should end soonest.
template <class Parameters>
Parameters soonest_wgmma(const recording::Problem& problem, int sm_count)
{
    static constexpr struct {
        int cut, above, beside, depth;
    } ways[] = {{0, 1, 1, 1}, {1, 1, 1, 1}, {0, 2, 1, 1}, {1, 2, 1, 1}, {0, 1, 2, 1},
                {1, 1, 2, 1}, {0, 1, 1, 2}, {0, 1, 1, 4}, {0, 1, 1, 8}};
    Soonest<Parameters> soonest;
    for (const WgmmaTile& tile : wgmma_tiles)
        for (const auto& way : ways) {
            Parameters p;
            p.BM = tile.BM;
            p.BN = tile.BN;
            p.BLOCKS = sm_count;
            p.CUT = way.cut;
            p.ABOVE = way.above;
            p.BESIDE = way.beside;
            p.DEPTH = way.depth;
            p.STAGES = most_wgmma_stages(p);
            const Shares shares = wgmma_shares(p, problem);
            const bool deep = way.depth > 1 && way.depth <= ceil_div(problem.K, p.BK) &&
                              shares.blocks() * way.depth <= sm_count && tile.BM * tile.BN <= 128 * 128;
            const bool alone =
                (way.above > 1 && int64_t{problem.M} <= tile.BM) || (way.beside > 1 && int64_t{problem.N} <= tile.BN);
            if (p.STAGES >= 2 && !alone && (way.depth == 1 || deep))
                soonest.offer(p, wgmma_time(p, tile, shares, problem, sm_count));
        }
    return soonest.best;
}

} // namespace kernels
