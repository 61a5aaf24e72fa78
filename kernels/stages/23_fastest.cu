// fastest: the ladder's ideas together, in FP32, as fast as cuBLAS.
//
// Idea: every idea of the ladder that pays, none that does not, and the gaps between them closed: no instruction that a
// loop could have done before, no wait that a product could have covered. The last parameters switch an idea off. What the
// kernel then has left of its speed, on an H200 at 4096^3 (2026-11-22), stands at the right; docs/results has more.
//
//   tile       128 x 256 per block, 16 x 8 per thread: 12 KiB of copies for 262,144 products per phase, and 24 values
//              read from shared memory for 128 products.             BN=128 BLOCKS=2: 98 %; with TM=8 as well: 89 %
//   size       a small matrix has too few such tiles for all SMs and gets tiles of 64 x 64. At 1024^3 38 TFLOPS, not 12.
//   copies     cp.async in two stages, as async_copy; every thread walks along its own elements (Matrix::part), so that
//              an address costs one addition. More stages do not pay: one phase is longer than a copy.
//   addresses  a thread sees the tiles from its own first elements on (SharedTile::part): all it reads in a phase lies at
//              distances that are constants, and an address costs no instruction. Without: 99.3 %, 1,137 instructions per
//              phase instead of 1,122.
//   banks      rows of A padded by 4, so that a copy meets all banks.                                   PAD=0: 95 %
//   lanes      4 x 8 in a warp, neighbours in bit 0 share a row, neighbours in bit 1 a column: a 16-byte load then takes
//              2 wavefronts instead of 4 on both sides.                                               PAIRS=0: 99.3 %
//   fragments  those of the next k are read while this k is multiplied, across the end of a phase too: the barrier stands
//              before the last k of a phase, not after it.                                            AHEAD=0: 97 %
//   order      the products of a row of the thread tile run from left to right, those of the next from right to left:
//              where they turn, the value of B is still at hand, and fewer reads meet in one register bank. SNAKE=0: 95 %
//   raster     GROUP rows of blocks are worked on together, so that running blocks share A and B in the L2 cache.
//                                                                                                    GROUP=1: 100 %
//   edges      a tile of which few results lie in C is shared out among all threads, and tiles at an edge copy B element
//              by element, side by side in a warp: at 4097^3, where 49 of 561 tiles are such, 43 TFLOPS, not 34.
//
// Look at: no conflicts; one barrier per phase of 8 k; the first fragments of a phase are read before the last products of
// the one before.
//
// Loads per result: (1/BM + 1/BN) K = 3K/256 from global memory; from shared memory (1/TM + 1/TN) K = 3K/16 values, in
// 16-byte loads 3K/64. Intensity at global memory: 43 FLOP per byte.
//
// Still slow: one instruction in eleven is not a product, and where three registers of one bank meet, a product waits. Only
// other hardware multiplies faster: the tensor cores of the next rungs.

#include "device/async_tiles.h"

namespace fastest {

struct Parameters {
    int BM = 128, BN = 256, BK = 8; // block tile
    int TM = 16, TN = 8;            // results per thread
    int STAGES = 2;                 // tiles in shared memory
    int BLOCKS = 1;                 // per SM that the compiler makes room for
    int GROUP = 8;                  // rows of blocks that are worked on together
    // Ideas that can be switched off, with 0, to see what each is worth:
    int PAIRS = 1; // lanes share addresses in pairs
    int AHEAD = 1; // so many k ahead are fragments read
    int SNAKE = 1; // products run to and fro
    int PAD = 4;   // unused floats after each row of the tile of A

    __host__ __device__ constexpr int WM() const { return 4 * TM; } // a warp's lanes form 4 rows of 8
    __host__ __device__ constexpr int WN() const { return 8 * TN; }
    __host__ __device__ constexpr int threads() const { return BM / WM() * (BN / WN()) * 32; }
};

__host__ __device__ constexpr Padded layout_a(Parameters p) // A turned around
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

// What a thread multiplies for one k.
template <Parameters P>
struct Fragments {
    float a[P.TM], b[P.TN];

    template <class TileA, class TileB>
    __device__ void load(const TileA& As, const TileB& Bs, int k) // the tiles from this thread's elements on
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

template <Parameters P, Edges edges, class Probe>
__device__ void multiply_block(const Gemm& gemm, Block<Probe>& block, Storage<P>& storage, Place place)
{
    Tiles<P, edges, Probe> tiles(gemm, block, storage, place);
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
            const int next = k + P.AHEAD; // whose fragments are read while those of k are multiplied
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

    const auto C = gemm.template C<edges>(block);
#pragma unroll // registers have no index: an indexed `sum` would move to memory
    for (int i = 0; i < P.TM; ++i) {
#pragma unroll
        for (int j = 0; j < P.TN; j += 4) {
            const int c_row = place.row + row + i / 4 * 16 + i % 4;
            const int c_col = place.col + col + j * 8;
            gemm.store4(C, c_row, c_col, &sum[i][j]);
        }
    }
}

// The same for a tile of which only few results lie in C: a thread takes up to `few` of them. Warps that hold whole
// fragments would compute one useful row in 64, in as much time as a whole tile takes.
inline constexpr int few = 8;

template <Parameters P, class Probe>
__device__ void multiply_few(const Gemm& gemm, Block<Probe>& block, Storage<P>& storage, Place place, int rows,
                             int cols)
{
    Tiles<P, Edges::guarded, Probe> tiles(gemm, block, storage, place);
    const int results = rows * cols;
    int row[few], col[few];
    for (int n = 0; n < few; ++n) { // after the last result there is nothing left to store
        const int i = static_cast<int>(threadIdx.x) + n * P.threads();
        row[n] = i < results ? i / cols : 0;
        col[n] = i < results ? i % cols : gemm.N;
    }

    float sum[few] = {};
    for (int phase = 0, stage = 0; phase < tiles.phases(); ++phase, stage = tiles.after(stage)) {
        tiles.wait();
        tiles.start(phase + P.STAGES - 1, tiles.before(stage));
        for (int n = 0; n < few && n * P.threads() < results; ++n)
            for (int k = 0; k < P.BK; ++k) {
                const float a = tiles.As[stage](k, row[n]);
                const float b = tiles.Bs[stage](k, col[n] % P.BN);
                sum[n] += a * b;
            }
    }

    const auto C = gemm.C(block);
    for (int n = 0; n < few && n * P.threads() < results; ++n) {
        const float old = gemm.beta != 0 ? C(place.row + row[n], place.col + col[n]) : 0;
        C.store(place.row + row[n], place.col + col[n], gemm.alpha * sum[n] + gemm.beta * old);
    }
}

template <Parameters P, class Probe>
__global__ void __launch_bounds__(P.threads(), P.BLOCKS) fastest(Gemm gemm, Probe probe)
{
    Block block(probe);
    Storage<P>& storage = ptx::dynamic_shared<Storage<P>>();
    const Place place = place_of_block(P.BM, P.BN, P.GROUP);
    const int rows = gemm.M - place.row < P.BM ? gemm.M - place.row : P.BM; // of this tile in C
    const int cols = gemm.N - place.col < P.BN ? gemm.N - place.col : P.BN;

    if (gemm.is_inside(block, place.row, place.col, P.BM, P.BN, P.BK))
        multiply_block<P, Edges::inside>(gemm, block, storage, place);
    else if (rows * cols <= few * P.threads())
        multiply_few<P>(gemm, block, storage, place, rows, cols);
    else
        multiply_block<P, Edges::guarded>(gemm, block, storage, place);
}

} // namespace fastest

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"

#include <cmath>

namespace fastest {

inline constexpr Parameters variants[] = {
    {}, {64, 64, 8, 8, 8, 4, 4, 4}, {128, 128, 8, 16, 8, 2, 2}, {64, 128, 16, 16, 8, 4, 2, 1, 0, 0, 0, 0}};

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
    if (p.PAD < 0 || p.PAD > 32 || p.PAD % 4 != 0)
        return "PAD must be a multiple of 4 up to 32: rows of the tile start on 16-byte boundaries";
    return "";
}

// The tiles that end soonest where each SM takes its share of them, one after another: of a small matrix there are
// too few large tiles for all SMs. Small ones multiply at 0.9 of the speed (H200, 8192^3).
inline Parameters suited(const Problem& problem, int sm_count)
{
    const auto time = [&](const Parameters& p, double speed) {
        const double tile = p.BM * p.BN;
        return std::ceil(double(problem.M) * problem.N / tile / sm_count) * tile / speed;
    };
    return time(variants[1], 0.9) < time(variants[0], 1) ? variants[1] : variants[0];
}

inline auto info()
{
    return StageInfo<Parameters, Gemm>{
        .slug = "fastest",
        .idea = "all that pays: as fast as cuBLAS in FP32",
        .builds_on = "autotuned",
        .parameters = {{"BM", &Parameters::BM, "rows of C per block"},
                       {"BN", &Parameters::BN, "columns of C per block"},
                       {"BK", &Parameters::BK, "slice of K per phase"},
                       {"TM", &Parameters::TM, "rows of C per thread"},
                       {"TN", &Parameters::TN, "columns of C per thread"},
                       {"STAGES", &Parameters::STAGES, "tiles in shared memory at once"},
                       {"BLOCKS", &Parameters::BLOCKS, "blocks per SM to make room for"},
                       {"GROUP", &Parameters::GROUP, "rows of blocks worked on together"},
                       {"PAIRS", &Parameters::PAIRS, "0: lanes row after row"},
                       {"AHEAD", &Parameters::AHEAD, "0: fragments read when needed"},
                       {"SNAKE", &Parameters::SNAKE, "0: products from left to right"},
                       {"PAD", &Parameters::PAD, "floats after each row of A's tile"}},
        .variants = variants,
        .refusal = refusal,
        .launch = one_block_per_tile,
        .on_cpu = compiled<variants>([]<Parameters P, class Probe>() { return &fastest<P, Probe>; }),
        .tiles = [](Parameters p) { return rings(layout_a(p), layout_b(p), p.STAGES); },
        .dynamic_shared = dynamic_shared,
        .suited = suited,
    };
}

} // namespace fastest
#endif
