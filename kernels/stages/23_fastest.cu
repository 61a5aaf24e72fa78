// fastest: the ladder's ideas together, in FP32, as fast as cuBLAS.
//
// Idea: every idea of the ladder that pays and none that does not, with the gaps between them closed: no instruction in
// a loop that could be done before it, no wait that products could hide. The last parameters switch off single ideas.
// The speed that remains, on an H200 at 4096^3 (2026-11-22), is at the right; docs/results has more.
//
//   tile       128 x 256 per block, 16 x 8 per thread: 12 KiB of copies for 262,144 products per phase, and 24 values
//              read from shared memory for 128 products.             BN=128 BLOCKS=2: 98 %; with TM=8 as well: 89 %
//   size       if there are too few large tiles for all SMs, or few remain after whole waves, tiles are smaller, or the
//              last are split along K into equal shares, one for each block that fits the GPU (WAVE, stream-K), and a
//              second kernel adds their parts in order. The choice is estimated from shape, SMs and the measured
//              time per phase of a tile. 256 x 256 x 65536: 0.20 ms, not 10.5, cuBLAS 0.18. At 4096^3 it does not pay:
//              the kernel that can split takes 5 % longer.
//   copies     cp.async in two stages, as async_copy; every thread walks along its own elements (Matrix::part), so that
//              an address costs one addition. More stages do not pay: one phase is longer than a copy.
//   addresses  a thread's view of the tiles starts at its first elements (SharedTile::part): all its reads in a phase
//              have constant offsets, so addresses take no instructions. Without: 99.3 %, 1,137 instructions per phase
//              instead of 1,122.
//   banks      rows of A padded by 4, so that a copy uses all banks.                                   PAD=0: 95 %
//   lanes      4 x 8 in a warp; neighbors in bit 0 share a row, neighbors in bit 1 a column: a 16-byte load then takes
//              2 wavefronts instead of 4 on both sides.                                               PAIRS=0: 99.3 %
//   fragments  those of the next k are read while this k is multiplied, also across the end of a phase: the barrier is
//              before the last k of a phase, not after it.                                            AHEAD=0: 97 %
//   order      products in a row of the thread tile go from left to right, in the next row from right to left: at the
//              turns the value of B is still in a register, and fewer reads hit one register bank.    SNAKE=0: 95 %
//   raster     GROUP rows of blocks are processed together, so that running blocks share A and B in the L2 cache.
//                                                                                                    GROUP=1: 100 %
//   edges      if rows of B do not begin at multiples of 16 bytes, B is copied element by element, adjacent in a warp,
//              and results go to C through shared memory, so that a warp stores 32 neighbors at a time. A lane's four
//              neighbors, stored one by one, fill no sector: 2197 x 1703 x 92: 31.1 us, now 26.5 (H100, 2026-11-27).
//
// docs/results has its speed relative to cuBLAS at random shapes. It is lowest if N is not a multiple of 4, and if C is
// small and K long.
//
// Look at: no conflicts; one barrier per phase of 8 k; the first fragments of a phase are read before the last products of
// the one before.
//
// Loads per result: (1/BM + 1/BN) K = 3K/256 from global memory; from shared memory (1/TM + 1/TN) K = 3K/16 values, in
// 16-byte loads 3K/64. Intensity at global memory: 43 FLOP per byte.
//
// Still slow: one instruction in eleven is not a product, and a product waits if its three registers are in one bank.
// Only other hardware multiplies faster: the tensor cores of the next stages.

#include "device/async_tiles.h"
#include "device/shares.h"

namespace fastest {

struct Parameters {
    int BM = 128, BN = 256, BK = 8; // block tile
    int TM = 16, TN = 8;            // results per thread
    int STAGES = 2;                 // tiles in shared memory
    int BLOCKS = 1;                 // blocks per SM for which the compiler leaves registers
    int GROUP = 8;                  // rows of blocks that are processed together
    // Ideas that can be switched off with 0, to see the effect of each:
    int PAIRS = 1; // lanes share addresses in pairs
    int AHEAD = 1; // number of k by which fragments are read ahead
    int SNAKE = 1; // products alternate their direction
    int PAD = 4;   // unused floats after each row of the tile of A
    int WAVE = 0;  // blocks that share the last tiles, split along K; 0: one block per tile

    __host__ __device__ constexpr int WM() const { return 4 * TM; } // a warp's lanes form 4 rows of 8
    __host__ __device__ constexpr int WN() const { return 8 * TN; }
    __host__ __device__ constexpr int threads() const { return BM / WM() * (BN / WN()) * 32; }
    // Returns whether a tile of B has room for 4 x 32 results of each warp, and a thread has registers left.
    __host__ __device__ constexpr bool has_patches() const
    {
        return threads() / 32 <= BK / 4 * (BN / 32) && TM * TN <= 64;
    }
};

__host__ __device__ constexpr Padded layout_a(Parameters p) // A transposed
{
    return {p.BK, p.BM, p.PAD};
}

__host__ __device__ constexpr RowMajor layout_b(Parameters p)
{
    return {p.BK, p.BN};
}

template <Parameters P>
using Storage = AsyncStorage<layout_a(P), layout_b(P), P.STAGES>;
template <Parameters P, Edges edges, class Probe>
using Tiles = AsyncTiles<layout_a(P), layout_b(P), P.STAGES, P.threads(), edges, Probe>;

constexpr int reduce_threads = 256;

// The workspace: the sums of a tile in each slot, one below another.
template <Parameters P, class Probe>
__device__ Matrix<float, Probe, Edges::inside> slots(const SplitGemm& gemm, Block<Probe>& block)
{
    return {gemm.workspace, 1 << 30, P.BN, P.BN, first_tile + 2 * P.STAGES, block};
}

// The values that a thread multiplies for one k.
template <Parameters P>
struct Fragments {
    float a[P.TM], b[P.TN];

    template <class TileA, class TileB>
    __device__ void load(const TileA& As, const TileB& Bs, int k) // the tiles start at this thread's elements
    {
#pragma unroll
        for (int i = 0; i < P.TM; i += 4)
            unpack(As.load4(k, i * 4), &a[i]);
#pragma unroll
        for (int j = 0; j < P.TN; j += 4)
            unpack(Bs.load4(k, j * 8), &b[j]);
    }

    __device__ void multiply(float (&sum)[P.TM][P.TN]) const
    {
#pragma unroll
        for (int i = 0; i < P.TM; ++i)
#pragma unroll
            for (int n = 0; n < P.TN; ++n) {
                const int j = P.SNAKE && i % 2 == 1 ? P.TN - 1 - n : n;
                sum[i][j] += a[i] * b[j];
            }
    }
};

template <Parameters P, Edges edges, bool cut, class Probe>
__device__ void multiply_block(const SplitGemm& gemm, Block<Probe>& block, Storage<P>& storage, Place place,
                               Share share)
{
    Tiles<P, edges, Probe> tiles(gemm, block, storage, place, share);
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int lane_row = P.PAIRS ? (lane >> 1 & 1) | (lane >> 3 & 2) : lane / 8;
    const int lane_col = P.PAIRS ? (lane & 1) | (lane >> 1 & 6) : lane % 8;
    const int row = warp / (P.BN / P.WN()) * P.WM() + lane_row * 4; // of this lane's first results, in the block tile
    const int col = warp % (P.BN / P.WN()) * P.WN() + lane_col * 4;

    float sum[P.TM][P.TN] = {};
    Fragments<P> fragments[2];
    if (P.AHEAD == 1) {
        tiles.wait();
        fragments[0].load(tiles.As[0].part(0, row), tiles.Bs[0].part(0, col), 0);
    }
    for (int phase = 0, stage = 0; phase < tiles.phases(); ++phase) {
        const int next_stage = tiles.after(stage);
#pragma unroll
        for (int k = 0; k < P.BK; ++k) {
            const int next = k + P.AHEAD; // its fragments are read while those of k are multiplied
            if (next % P.BK == 0)
                tiles.wait();
            const int from = next == P.BK ? next_stage : stage;
            fragments[next % 2].load(tiles.As[from].part(0, row), tiles.Bs[from].part(0, col), next % P.BK);
            if (k == 1)
                tiles.start(phase + P.STAGES - 1, tiles.before(stage));
            fragments[k % 2].multiply(sum);
        }
        stage = next_stage;
    }

    if (cut && share.slot >= 0) {
        const auto parts = slots<P>(gemm, block);
#pragma unroll // registers cannot be indexed: an indexed `sum` would move to memory
        for (int i = 0; i < P.TM; ++i)
#pragma unroll
            for (int j = 0; j < P.TN; j += 4)
                parts.store4(share.slot * P.BM + row + i / 4 * 16 + i % 4, col + j * 8,
                             {sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]});
        return;
    }
    const auto C = gemm.template C<edges>(block);
    const int first_row = place.row + row, first_col = place.col + col;
    if (edges == Edges::guarded && P.has_patches() && gemm.N % 4 != 0) {
        block.sync(); // no thread reads the tiles anymore
        const auto patch = tiles.Bs[0].part(warp % (P.BK / 4) * 4, warp / (P.BK / 4) * 32); // of this warp
#pragma unroll
        for (int i = 0; i < P.TM; ++i)
#pragma unroll
            for (int j = 0; j < P.TN; j += 4) {
                block.sync_warp(); // the previous results have been stored
                patch.store4(lane_row, lane_col * 4, {sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]});
                block.sync_warp();
                for (int r = 0; r < 4; ++r)
                    gemm.store(C, first_row + (r - lane_row) * 4 + i / 4 * 16 + i % 4,
                               first_col - lane_col * 4 + j * 8 + lane, patch(r, lane));
            }
        return;
    }
#pragma unroll
    for (int i = 0; i < P.TM; ++i)
#pragma unroll
        for (int j = 0; j < P.TN; j += 4)
            gemm.store4(C, first_row + i / 4 * 16 + i % 4, first_col + j * 8, &sum[i][j]);
}

template <Parameters P, bool cut, class Probe>
__device__ void multiply_share(const SplitGemm& gemm, Block<Probe>& block, Storage<P>& storage, Share share)
{
    const Place place = place_of_tile(share.tile, ceil_div(gemm.M, P.BM), ceil_div(gemm.N, P.BN), P.BM, P.BN, P.GROUP);
    if (gemm.is_inside(block, place.row, place.col, P.BM, P.BN, P.BK))
        multiply_block<P, Edges::inside, cut>(gemm, block, storage, place, share);
    else
        multiply_block<P, Edges::guarded, cut>(gemm, block, storage, place, share);
}

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads(), P.BLOCKS) fastest(SplitGemm gemm, Probe probe)
{
    Block block(probe);
    block.let_second_kernel_begin();
    Storage<P>& storage = ptx::dynamic_shared<Storage<P>>();
    const Shares shares(ceil_div(gemm.M, P.BM) * ceil_div(gemm.N, P.BN), ceil_div(gemm.K, P.BK), P.WAVE);
    const int number = static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x);
    if (P.WAVE == 0 || number < shares.alone()) {
        multiply_share<P, false>(gemm, block, storage, shares.part(number, 0));
        return;
    }
    if constexpr (P.WAVE > 0)
#pragma unroll 1
        for (int part = 0; part < 2; ++part) {
            const Share share = shares.part(number, part);
            if (share.phases == 0)
                break;
            if (part > 0)
                block.sync(); // no thread reads the tiles of the first part anymore
            multiply_share<P, true>(gemm, block, storage, share);
        }
}

// Computes C from the sums of the split tiles: each thread adds four neighbors in a row, the parts in their order.
template <Parameters P, class Probe>
__global__ void __launch_bounds__(reduce_threads) fastest_reduce(SplitGemm gemm, Probe probe)
{
    Block block(probe);
    const int tile_rows = ceil_div(gemm.M, P.BM), tile_cols = ceil_div(gemm.N, P.BN);
    const Shares shares{tile_rows * tile_cols, ceil_div(gemm.K, P.BK), P.WAVE};
    const int cut = static_cast<int>(blockIdx.y);
    const int first = shares.cutter(cut, 0), last = shares.cutter(cut, ceil_div(gemm.K, P.BK) - 1);
    const int chunk = static_cast<int>(blockIdx.x) * reduce_threads + static_cast<int>(threadIdx.x);
    if (first == last || chunk >= P.BM * P.BN / 4)
        return; // one block had the whole tile
    const int row = chunk / (P.BN / 4), col = chunk % (P.BN / 4) * 4;
    const auto parts = slots<P>(gemm, block);
    block.wait_for_first_kernel();
    float sum[4] = {};
#pragma unroll 8
    for (int i = first; i <= last; ++i) {
        const float4 part = parts.load4(shares.slot(cut, i) * P.BM + row, col);
        sum[0] += part.x;
        sum[1] += part.y;
        sum[2] += part.z;
        sum[3] += part.w;
    }
    const Place place = place_of_tile(shares.alone() + cut, tile_rows, tile_cols, P.BM, P.BN, P.GROUP);
    gemm.store4(gemm.C(block), place.row + row, place.col + col, sum);
}

} // namespace fastest

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"
#include "gemm/launch_time.h"

namespace fastest {

inline constexpr Parameters tiny{16, 32, 8, 4, 4, 2, 1, 1}; // 1 warp
inline constexpr std::string_view limit_of_warp =
    "A warp's 32 lanes have 4 x 4 results each and copy 8 k of 4 rows of A at a time: its tile has at least 16 x 32 "
    "elements.";
inline constexpr Parameters variants[] = {{},
                                          {64, 64, 8, 8, 8, 4, 4, 4},
                                          {128, 128, 8, 16, 8, 2, 2},
                                          {64, 128, 16, 16, 8, 4, 2, 1, 0, 0, 0, 0},
                                          {64, 64, 8, 8, 8, 4, 4, 4, 1, 1, 1, 4, 12},
                                          tiny};

inline int dynamic_shared(Parameters p)
{
    return p.STAGES * bytes_of(layout_a(p), layout_b(p));
}
static_assert(sizeof(Storage<Parameters{}>) == Parameters{}.STAGES * bytes_of(layout_a({}), layout_b({})));

inline std::string refusal(Parameters p)
{
    if (p.BK % 8 != 0 || p.BK < 8 || p.BK > 64)
        return "BK must be a multiple of 8 up to 64: a warp copies 8 k of 4 rows of A at a time";
    if (p.TM < 4 || p.TM > 32 || p.TN < 4 || p.TN > 32 || p.TM % 4 != 0 || p.TN % 4 != 0)
        return "TM and TN must be multiples of 4 up to 32: every read of shared memory moves 16 bytes";
    if (p.BM < 1 || p.BN < 1 || p.BM % p.WM() != 0 || p.BN % p.WN() != 0)
        return "BM must be a multiple of 4*TM, and BN of 8*TN, the part of a warp";
    if (p.threads() > 1024)
        return "BM/(4*TM) * BN/(8*TN) warps of 32 threads must not exceed 1024 threads";
    if (p.BM * 8 % p.threads() != 0 || p.threads() % (p.BN / 4) != 0 || p.BN * p.BK / 4 % p.threads() != 0 ||
        (p.threads() % p.BN != 0 && p.BN % p.threads() != 0))
        return "BM*8 and BN*BK/4 must be multiples of the number of threads, that of BN/4, and BN of it or it of BN: "
               "all copy equally often";
    if (p.STAGES < 2 || p.STAGES > 8)
        return "STAGES must be between 2 and 8";
    if (p.BLOCKS < 1 || p.BLOCKS > 16 || p.BLOCKS * (dynamic_shared(p) + 1024) > 228 * 1024)
        return "the tiles of BLOCKS blocks must fit the 228 KiB of shared memory that an SM of an H200 has";
    if (p.GROUP < 1)
        return "GROUP must be at least 1";
    if (p.PAIRS < 0 || p.PAIRS > 1 || p.AHEAD < 0 || p.AHEAD > 1 || p.SNAKE < 0 || p.SNAKE > 1)
        return "PAIRS, AHEAD and SNAKE are 1, or 0 to switch that idea off";
    if (p.WAVE < 0)
        return "WAVE must be 0, or the number of blocks that share the last tiles";
    if (p.PAD < 0 || p.PAD > 32 || p.PAD % 4 != 0)
        return "PAD must be a multiple of 4 up to 32: rows of the tile start on 16-byte boundaries";
    return "";
}

inline Shares shares_of(Parameters p, const Problem& problem)
{
    return {ceil_div(problem.M, p.BM) * ceil_div(problem.N, p.BN), ceil_div(problem.K, p.BK), p.WAVE};
}

// Returns the tiles, and the division of work, with the smallest estimated time.
inline Parameters suited(const Problem& problem, int sm_count)
{
    static constexpr struct {
        Parameters parameters;
        kernels::TileTime time; // H100, 2026-11-27, fitted to 14,000 launches at 441 shapes
    } tiles[] = {{{}, {0.8982, 1.232, 16.3}},
                 {{96, 128, 8, 12, 8, 3, 2, 4}, {0.6821, 0.4923, 5.067}},
                 {{64, 128, 8, 8, 8, 4, 3, 4}, {0.4769, 0.3564, 0.6842}},
                 {{64, 64, 8, 8, 8, 4, 4, 4}, {0.3772, 0.1668, 2.185}},
                 {{64, 64, 16, 8, 4, 3, 4, 4}, {0.5163, 0.4133, 0.7422}},
                 {{48, 64, 16, 12, 4, 3, 6, 4}, {0.6961, 0.2696, 1.772}},
                 {{64, 32, 16, 8, 4, 3, 8, 4}, {0.5374, 0.2114, 1.206}},
                 {{32, 64, 32, 4, 4, 3, 5, 4}, {0.6335, 0.5272, 1.076}},
                 {{32, 32, 16, 4, 4, 4, 8, 4}, {0.3472, 0.1311, 0.2885}},
                 {{32, 32, 32, 4, 4, 3, 8, 4}, {0.5976, 0.2782, 0.5688}}};
    static constexpr kernels::LaunchTime gpu{
        .launch = 0.165, .second_launch = 1.95, .cut = 0.54, .per_mib = 0.396, .per_part = 0.128, .slower = 1.06};
    kernels::Soonest<Parameters> soonest;
    for (const auto& tile : tiles)
        for (const int wave : {0, sm_count, sm_count * tile.parameters.BLOCKS}) {
            Parameters p = tile.parameters;
            p.WAVE = wave;
            if (wave == sm_count && p.threads() < 128)
                continue; // one block with so few warps leaves schedulers of the SM idle
            const double time = gpu.of({.shares = shares_of(p, problem),
                                        .phases = ceil_div(problem.K, p.BK),
                                        .blocks_per_sm = p.BLOCKS,
                                        .tile_mib = p.BM * p.BN / 262144.,
                                        .warps = p.threads() / 32,
                                        .single = problem.N % 4 != 0 ? p.BN * p.BK * 3.38e-5 : 0},
                                       tile.time, sm_count);
            soonest.offer(p, time);
        }
    return soonest.best;
}

inline SecondKernel<Parameters> reduction()
{
    return {.name = "fastest_reduce",
            .launch = [](Parameters p, const Problem& problem) -> Launch {
                return {.grid = {ceil_div(p.BM * p.BN / 4, reduce_threads), shares_of(p, problem).cut()},
                        .block = {reduce_threads}};
            },
            .workspace =
                [](Parameters p, const Problem& problem) {
                    return matrix("workspace", uint64_t(shares_of(p, problem).slots()) * p.BM, p.BN);
                },
            .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &fastest_reduce<P, Probe>; })};
}

inline auto info()
{
    return StageInfo<Parameters, SplitGemm>{
        .slug = "fastest",
        .idea = "all that pays: as fast as cuBLAS in FP32",
        .builds_on = "autotuned",
        .parameters =
            thread_tile_fields<Parameters>({{"STAGES", &Parameters::STAGES, "tiles in shared memory at once"},
                                            {"BLOCKS", &Parameters::BLOCKS, "blocks per SM to make room for"},
                                            {"GROUP", &Parameters::GROUP, "rows of blocks worked on together"},
                                            {"PAIRS", &Parameters::PAIRS, "0: lanes row after row"},
                                            {"AHEAD", &Parameters::AHEAD, "0: fragments read when needed"},
                                            {"SNAKE", &Parameters::SNAKE, "0: products from left to right"},
                                            {"PAD", &Parameters::PAD, "floats after each row of A's tile"},
                                            {"WAVE", &Parameters::WAVE, "blocks that share the last tiles"}}),
        .variants = variants,
        .refusal = refusal,
        .launch =
            [](Parameters p, const Problem& problem) {
                Launch launch = one_block_per_tile(p, problem);
                if (p.WAVE > 0)
                    launch.grid = {shares_of(p, problem).blocks()};
                return launch;
            },
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &fastest<P, Probe>; }),
        .tiles = [](Parameters p) { return rings(layout_a(p), layout_b(p), p.STAGES); },
        .dynamic_shared = dynamic_shared,
        .second = reduction(),
        .suited = suited,
        .tiny = Tiny<Parameters>{tiny, 32, 32, 16, limit_of_warp},
    };
}

} // namespace fastest
#endif
