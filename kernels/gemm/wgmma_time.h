// Estimates the time of a wgmma_tma launch from its tiles, to choose its parameters. Host side only.
#pragma once

#include "device/cluster_work.h"
#include "gemm/launch_time.h"
#include "gemm/wgmma_limits.h"

namespace kernels {

// H200, 2026-11-24, fitted to 69,000 launches at 789 shapes. Each launch started after the previous one had ended. The
// fit optimizes the ranking of the parameter sets of one shape, not the time itself, which is underestimated where
// memory is the limit.
inline constexpr LaunchTime wgmma_launch{.launch = 1.51,
                                         .second_launch = 2.2,
                                         .cut = 0,
                                         .per_mib = 0.627,
                                         .per_part = 0.3,
                                         .slower = 1,
                                         .per_copied = 0.025,
                                         .cluster = 0.437,
                                         .per_gathered = 15.3};

// Time of a block, fitted in the same way. A phase takes the longer of its products and its copies to shared memory,
// and a bit longer if other blocks of the cluster must first release their tiles. Blocks that each sum a part of K copy
// more slowly, because fewer blocks need the same lines at the same time. A block begins with copies that nothing hides
// and ends with the stores of its sums.
template <class Parameters>
TileTime wgmma_tile_time(const Parameters& p)
{
    const double products = p.BM * p.BN * 1.749e-5, copies = (p.BM + p.BN) * 1.153e-3 * (p.DEPTH > 1 ? 1.333 : 1);
    return {.phase_alone = std::max(products, copies) + (p.sharing() > 1 ? 0.0415 : 0),
            .block = p.BM * p.BN * 8.93e-5 + p.BM * 2.5e-3 + p.BN * 2.7e-3};
}

// Returns how the tiles of C are divided among clusters.
template <class Parameters>
Shares wgmma_shares(const Parameters& p, const recording::Problem& problem)
{
    return {ceil_div(problem.N, p.cols()) * ceil_div(problem.M, p.rows()), ceil_div(problem.K, p.BK), wave_of(p)};
}
// Returns the rows of the workspace that holds the sums of split tiles; see Parts.
template <class Parameters>
uint64_t wgmma_workspace_rows(const Parameters& p, const recording::Problem& problem)
{
    return uint64_t(wgmma_shares(p, problem).slots()) * p.cluster() * p.consumers() * p.BM / 8;
}

// Returns the relative cost of 128-byte lines. If rows (of 2-byte elements) do not start at a multiple of 128 bytes,
// each access touches two lines. If they do not start at a multiple of 32 bytes either, it touches one more sector.
// Rows are padded to 16 bytes.
inline double cost_of_lines(uint64_t row, double not_of_lines, double nor_of_sectors)
{
    const uint64_t padded = (row + 7) / 8 * 8;
    return padded % 64 == 0 ? 1 : padded % 16 == 0 ? not_of_lines : not_of_lines * nor_of_sectors;
}

// Returns the average bytes that a block copies per phase, as L2 sees them. They exclude what other blocks of the
// cluster copy and what lies outside the matrices. When many blocks run, tiles that extend beyond the matrices slow
// down all of them (H200: up to twice on 132 SMs, hardly on 80). A probable cause is that blocks with less to copy get
// out of step, and L2 receives requests for the same lines again.
template <class Parameters>
double copied_by_wgmma(const Parameters& p, const recording::Problem& problem)
{
    const int tile_rows = ceil_div(problem.M, p.rows()), tile_cols = ceil_div(problem.N, p.cols());
    const double rows = double(problem.M) / tile_rows / p.ABOVE * cost_of_lines(problem.K, 2.2, 1.6);
    const double cols = double(problem.N) / tile_cols / p.BESIDE * cost_of_lines(problem.N, 2.1, 2.1);
    const double outside = 2 - double(problem.M) / tile_rows / p.rows() - double(problem.N) / tile_cols / p.cols();
    return (rows / p.BESIDE + cols / p.ABOVE) * p.BK * 2 * (1 + 3.6 * outside);
}

template <class Parameters>
double wgmma_time(const Parameters& p, const Shares& shares, const recording::Problem& problem, int sm_count)
{
    return wgmma_launch.of({.shares = shares,
                            .phases = ceil_div(ceil_div(problem.K, p.BK), p.DEPTH),
                            .blocks_per_sm = 1,
                            .tile_mib = p.BM * p.BN / 262144.,
                            .blocks = p.cluster(),
                            .depth = p.DEPTH,
                            .copied = copied_by_wgmma(p, problem) * 1e-6},
                           wgmma_tile_time(p), sm_count);
}

// A way to divide the work among blocks.
struct WgmmaWay {
    int cut, above, beside, depth;
};
inline constexpr WgmmaWay wgmma_ways[] = {{0, 1, 1, 1}, {1, 1, 1, 1}, {0, 2, 1, 1}, {1, 2, 1, 1}, {0, 1, 2, 1},
                                          {1, 1, 2, 1}, {0, 2, 2, 1}, {0, 4, 1, 1}, {0, 1, 4, 1}, {0, 4, 2, 1},
                                          {0, 2, 4, 1}, {0, 1, 1, 2}, {0, 1, 1, 4}, {0, 1, 1, 8}};

// Returns parameters with as many stages as fit. The concurrent tiles form nearly a square of C, which needs the fewest
// rows of A and columns of B.
template <class Parameters>
Parameters wgmma_tiles(int BM, int BN, const WgmmaWay& way, int sm_count)
{
    Parameters p;
    p.BM = BM;
    p.BN = BN;
    p.CUT = way.cut;
    p.ABOVE = way.above;
    p.BESIDE = way.beside;
    p.DEPTH = way.depth;
    p.BLOCKS = LaunchTime::in_clusters(sm_count, p.cluster());
    p.STAGES = most_wgmma_stages(p);
    const double at_once = double(p.BLOCKS) / p.cluster();
    p.GROUP = std::max(1, int(std::lround(std::sqrt(at_once * p.cols() / p.rows()))));
    return p;
}

// Returns whether the set can be the fastest. It cannot if 16 or more rows of the tile lie outside C, if a block has no
// partner, or if it has almost nothing to sum.
template <class Parameters>
bool is_worth_reckoning(const Parameters& p, const Shares& shares, const recording::Problem& problem)
{
    const int64_t M = problem.M, N = problem.N, phases = ceil_div(problem.K, p.BK);
    if ((p.BM > 16 && M <= p.BM - 16) || M <= p.BM * (p.ABOVE - 1) || N <= p.BN * (p.BESIDE - 1))
        return false;
    if (p.CUT && (shares.cut() == 0 || phases < 8))
        return false;
    return p.DEPTH == 1 ||
           (p.DEPTH <= phases && int64_t{shares.blocks()} * p.DEPTH <= p.BLOCKS && p.BM * p.BN <= 128 * 128);
}

// Returns the tiles and the division of work with the smallest estimated time.
template <class Parameters>
Parameters soonest_wgmma(const recording::Problem& problem, int sm_count)
{
    Soonest<Parameters> soonest;
    for (int BN = 64; BN <= 192; BN += 64)
        for (int BM = BN == 192 ? 48 : 16; BM <= 256; BM += 16)
            for (const WgmmaWay& way : wgmma_ways) {
                const auto p = wgmma_tiles<Parameters>(BM, BN, way, sm_count);
                const Shares shares = wgmma_shares(p, problem);
                if (is_worth_reckoning(p, shares, problem) && refusal_of_wgmma(p).empty())
                    soonest.offer(p, wgmma_time(p, shares, problem, sm_count));
            }
    return soonest.best;
}

} // namespace kernels
