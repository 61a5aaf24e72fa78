// wgmma_tma: Hopper. The tensor memory accelerator copies, warpgroups multiply straight from shared memory.
//
// Idea: the program says what is to happen, the hardware does it. One thread of a producer warpgroup asks for whole tiles;
// barriers in shared memory count their bytes. Two consumer warpgroups wait for a tile and start products of 64 x 256 x 16
// on it, which read shared memory themselves. Nobody else touches an operand.
//
// Was slow: in mma_ldmatrix the warps carry every operand from shared memory to registers, and wait for it.
//
// Look at: the lanes of time. The producer runs up to STAGES tiles ahead and stops where a tile has not been given back;
// a consumer gives a tile back when the products that read it have ended, one phase later. Each block computes several
// tiles of C one after another, so that the copies for the next begin while the last is being stored.
//
// No lane makes these accesses: bulk copies and operands are recorded as their descriptors say (derived), and have no
// addresses per lane. The 128-byte swizzle is the one of mma_ldmatrix; here the hardware applies it on both sides.
//
// Types: BF16 or FP16 in, FP32 sums. Rows of A and B are padded to 16 bytes, as the copies ask; what lies outside of a
// matrix arrives as zeros, so that edges need no code but for the store.
//
// On an H200 (2026-11-22), BF16: 640 to 655 TFLOPS at 4096^3, 101 to 109 % of cuBLAS, and 673 at 8192^3, 103 %. The power
// limit holds the clock down for both, so their cycles are compared (Nsight Compute): 297,600 from the first to the last,
// cuBLAS 296,300, without any store 293,000. Stores of 8 bytes, two columns as a lane has them, took 312,000: a warp's store
// then touches 8 lines for 256 bytes. Of the whole at 4096^3: with two tiles in shared memory (STAGES=2) 73 %, tiles of
// 64 x 256 (BM=64) and of 128 x 128 (BN=128) 93 %, a block for each tile (BLOCKS=1000000) 98 %, tiles taken row after row
// (GROUP=1) 99 %. No gain there: stores by way of shared memory, by the lanes or in bulk. Where beta is not 0, C is read
// 64 columns at a time before the first of them is stored.
//
// Other shapes: smaller tiles copy more for each result than L2 gives. So blocks of a cluster share their copies: those ABOVE
// each other need the same tile of B, and each copies a part of its rows to all of them; those BESIDE each other likewise of A. A
// tile may be overwritten when the consumers of all have given it back. With CUT=1 the tiles that whole waves leave are cut
// along K as in fastest. Over 160 shapes drawn at random, rows multiples of 16 bytes (docs/results), 0.91 of cuBLAS in the
// geometric mean, at worst 0.41 (128 x 192 x 5632): cuBLAS takes clusters of four blocks where tiles are small and K is long.
//
// Loads per result: (1/BM + 1/BN) K = 3K/256 elements of 2 bytes from global memory, by the accelerator. Intensity at
// global memory: 85 FLOP per byte.

#include "device/raster.h"
#include "device/shares.h"
#include "device/tma_gemm.h"

namespace wgmma_tma {

struct Parameters {
    int TYPE = type_bf16;            // of A and B
    int BM = 128, BN = 256, BK = 64; // block tile
    int STAGES = 4;                  // tiles in shared memory
    int BLOCKS = 132;                // on the GPU at most: one for each SM of an H200
    int GROUP = 16;                  // rows of tiles that are worked on together
    int CUT = 0;                     // 1: the tiles of the last wave are cut along K, for all blocks
    int ABOVE = 1, BESIDE = 1;       // blocks of a cluster: those above each other share B's tiles, those beside A's

    __host__ __device__ constexpr int cluster() const { return ABOVE * BESIDE; }
    __host__ __device__ constexpr int rows() const { return BM * ABOVE; } // of C, that a cluster computes at a time
    __host__ __device__ constexpr int cols() const { return BN * BESIDE; }
    __host__ __device__ constexpr int clusters() const { return BLOCKS / cluster(); }
    __host__ __device__ constexpr int wave() const { return CUT ? clusters() : 0; }

    __host__ __device__ constexpr int consumers() const { return BM / 64; } // warpgroups
    __host__ __device__ constexpr int threads() const { return (consumers() + 1) * 128; }
    // Registers of a thread: the block has 65,536.
    __host__ __device__ constexpr int of_producer() const { return consumers() == 3 ? 32 : 40; }
    __host__ __device__ constexpr int of_consumer() const
    {
        return consumers() == 1 ? 240 : consumers() == 2 ? 232 : 160;
    }
    __host__ __device__ constexpr int stage_bytes() const { return (BM + copied()) * BK * 2; }
    __host__ __device__ constexpr int copied() const { return ceil_div(BN, 64) * 64; } // columns of B: whole slabs
};

__host__ __device__ constexpr SwizzledChunks layout_a(Parameters p)
{
    return {p.BM, p.BK, 8};
}

__host__ __device__ constexpr SwizzledSlabs layout_b(Parameters p)
{
    return {p.BK, p.copied()};
}

#ifdef __CUDACC__

template <Parameters P>
struct Tiles {
    TileStorage<layout_a(P), Element<P.TYPE>> a[P.STAGES];
    TileStorage<layout_b(P), Element<P.TYPE>> b[P.STAGES];
    uint64_t full[P.STAGES], empty[P.STAGES];
};

// Where the ring of stages stands: the stage, and the parity of its barriers' phase.
template <int stages>
struct Turn {
    int stage = 0, parity = 0;
    __device__ void next()
    {
        stage = stage + 1 == stages ? 0 : stage + 1;
        parity ^= stage == 0;
    }
};

// A lane's sums are pairs of columns. Neighbours exchange pairs, so that each has four columns in a row, 16 bytes: the
// even one of the first 8 columns, the odd one of the next 8. `pairs`: this lane's in both.
template <class Probe>
__device__ float4 four_columns(Block<Probe>& block, const float* pairs)
{
    const int lane = threadIdx.x % 32;
    const bool odd = lane % 2 != 0;
    const float2 first = {pairs[0], pairs[1]}, next = {pairs[4], pairs[5]}, give = odd ? first : next;
    const float x = block.shuffle(give.x, lane ^ 1);
    const float y = block.shuffle(give.y, lane ^ 1);
    return odd ? float4{x, y, next.x, next.y} : float4{first.x, first.y, x, y};
}

// 64 rows of so many columns of C, from (row, col) on.
template <int cols, class Probe>
__device__ void store_sums(const TmaGemm& gemm, Block<Probe>& block, const float* sum, int first_row, int first_col)
{
    const auto C = gemm.C(block);
    const int lane = threadIdx.x % 32;
    const int row = first_row + threadIdx.x % 128 / 32 * 16 + lane / 4; // and the one 8 below
    const int col = first_col + lane % 2 * 8 + lane % 4 / 2 * 4;
    float4 old[cols / 8] = {};
    if (gemm.beta != 0) // all loads before the first store: one by one, each would wait for the one before
#pragma unroll
        for (int i = 0; i < cols / 8; ++i)
            old[i] = C.load4(row + i % 2 * 8, col + i / 2 * 16);
#pragma unroll
    for (int i = 0; i < cols / 8; ++i) {
        const float4 s = four_columns(block, &sum[i / 2 * 8 + i % 2 * 2]);
        C.store4(row + i % 2 * 8, col + i / 2 * 16, gemm.scaled(s, old[i]));
    }
}

// Parts of sums: in each row four of each thread of a warpgroup; BN / 8 rows are a warpgroup's, and BM / 64 of those a slot.
template <Parameters P, class Probe>
__device__ Matrix<float, Probe, Edges::inside> workspace(const TmaGemm& gemm, Block<Probe>& block)
{
    return {gemm.workspace, 1 << 30, 512, 512, first_tile + 2 * P.STAGES, block};
}
template <Parameters P>
__device__ int row_of(int slot, int rank, int warpgroup, int sum) // of those: where a thread's sum lies
{
    return ((slot * P.cluster() + rank) * P.consumers() + warpgroup) * (P.BN / 8) + sum / 4;
}

// The tiles of C that the clusters compute, and how they are shared out.
template <Parameters P>
struct Work {
    __device__ explicit Work(const TmaGemm& gemm)
        : rows(ceil_div(gemm.M, P.rows())), cols(ceil_div(gemm.N, P.cols())), phases(ceil_div(gemm.K, P.BK)),
          shares(rows * cols, phases, P.wave())
    {
    }
    // Where the tile of one block of the cluster begins.
    __device__ Place place(int tile, int rank) const
    {
        const Place first = place_of_tile(tile, rows, cols, P.rows(), P.cols(), P.GROUP);
        return {first.row + rank / P.BESIDE * P.BM, first.col + rank % P.BESIDE * P.BN};
    }

    int rows, cols, phases;
    Shares shares;
};

template <Parameters P, class Probe>
class Kernel {
public:
    using T = Element<P.TYPE>;

    __device__ Kernel(const TmaGemm& gemm, Block<Probe>& block, Tiles<P>& tiles)
        : gemm(gemm), block(block), As(tiles.a, block), Bs(tiles.b, block), full(tiles.full, 0, block),
          empty(tiles.empty, P.STAGES, block), work(gemm), rank(blockIdx.x % P.cluster())
    {
    }

    __device__ void run()
    {
        if (threadIdx.x == 0) {
            full.init(1);
            empty.init(P.consumers() * P.cluster());
        }
        meet();
        const int warpgroup = threadIdx.x / 128;
        if (warpgroup == 0) {
            ptx::setmaxnreg_dec<P.of_producer()>();
            if (threadIdx.x == 0)
                produce();
        } else {
            ptx::setmaxnreg_inc<P.of_consumer()>();
            consume((warpgroup - 1) * 64);
        }
        if (P.cluster() > 1)
            meet(); // the others' copies and arrivals come to this block's memory
    }

private:
    __device__ void meet() const
    {
        if (P.cluster() > 1)
            ptx::cluster_sync();
        else
            block.sync();
    }

    // All that this block computes, share after share.
    template <class Function>
    __device__ void for_each_share(const Function& compute) const
    {
        const int clusters = gridDim.x / P.cluster();
        for (int number = blockIdx.x / P.cluster(); number < work.shares.blocks(); number += clusters)
            for (int part = 0; part < (P.CUT ? 2 : 1); ++part)
                if (const Share share = work.shares.part(number, part); share.phases > 0)
                    compute(share, work.place(share.tile, rank));
    }

    // One thread asks for tile after tile, as soon as there is room.
    __device__ void produce() const
    {
        const auto A = gemm.A<T>(block);
        const auto B = gemm.B<T>(block);
        Turn<P.STAGES> turn;
        for_each_share([&](Share share, Place place) {
            for (int phase = 0; phase < share.phases; ++phase, turn.next()) {
                const int k = (share.first + phase) * P.BK;
                uint64_t* const here = full[turn.stage];
                empty.wait(turn.stage, turn.parity ^ 1);
                full.arrive_and_expect(turn.stage, P.stage_bytes());
                copy_a(A, place.row, k, As[turn.stage], here);
                for (int col = 0; col < P.BN; col += 64) // whole slabs, also where the last columns are not multiplied
                    copy_b(B, k, place.col + col, Bs[turn.stage], col, here);
            }
        });
    }

    // The blocks beside each other need the same tile of A: each copies a part of its rows, for all of them.
    template <class Matrix, class Tile>
    __device__ void copy_a(const Matrix& A, int row, int k, const Tile& to, uint64_t* barrier) const
    {
        if constexpr (P.BESIDE == 1) {
            copy_bulk(gemm.a_map, A, row, k, to, 0, 0, barrier);
        } else {
            constexpr int part = P.BM / P.BESIDE;
            const unsigned beside = ((1u << P.BESIDE) - 1) << rank / P.BESIDE * P.BESIDE;
            for (int i = 0; i < P.BESIDE; ++i)
                copy_bulk_shared(gemm.a_map, A, row + i * part, k, to, i * part, 0, barrier, beside,
                                 rank % P.BESIDE == i);
        }
    }
    // Likewise those above each other, of B.
    template <class Matrix, class Tile>
    __device__ void copy_b(const Matrix& B, int k, int col, const Tile& to, int to_col, uint64_t* barrier) const
    {
        if constexpr (P.ABOVE == 1) {
            copy_bulk(gemm.b_map, B, k, col, to, 0, to_col, barrier);
        } else {
            constexpr int part = P.BK / P.ABOVE;
            constexpr unsigned first_column = ((1u << P.cluster()) - 1) / ((1u << P.BESIDE) - 1);
            for (int i = 0; i < P.ABOVE; ++i)
                copy_bulk_shared(gemm.b_map, B, k + i * part, col, to, i * part, to_col, barrier,
                                 first_column << rank % P.BESIDE, rank / P.BESIDE == i);
        }
    }

    // A warpgroup computes 64 rows of each tile of C, from `first_row` of it on.
    __device__ void consume(int first_row) const
    {
        constexpr int at_a_time = P.BN % 64 == 0 ? 64 : 32; // columns of C that are read, if at all, and then stored
        Turn<P.STAGES> turn;
        for_each_share([&](Share share, Place place) {
            float sum[P.BN / 2];
            int last = -1; // the stage whose products are still under way
            for (int phase = 0; phase < share.phases; ++phase, turn.next()) {
                full.wait(turn.stage, turn.parity);
                ptx::wgmma_fence();
#pragma unroll
                for (int k = 0; k < P.BK; k += 16)
                    multiply_group<T, P.BK>(sum, As[turn.stage], first_row, Bs[turn.stage], k, phase > 0 || k > 0);
                ptx::wgmma_commit_group();
                ptx::wgmma_wait_group<1>(); // the products of the phase before have ended
                give_back(last);
                last = turn.stage;
            }
            ptx::wgmma_wait_group<0>();
            give_back(last);
            if (share.slot < 0)
#pragma unroll
                for (int from = 0; from < P.BN; from += at_a_time)
                    store_sums<at_a_time>(gemm, block, &sum[from / 2], place.row + first_row, place.col + from);
            else
                leave(sum, share.slot, first_row);
        });
    }

    __device__ void give_back(int stage) const
    {
        const int thread = threadIdx.x % 128; // one arrives for the warpgroup, in each block that copies to here
        if (stage < 0)
            return;
        if (P.cluster() > 1)
            empty.arrive_in(thread, stage, thread < P.cluster());
        else
            empty.arrive(stage, thread == 0);
    }

    // The sums of a part of K, as the threads hold them: the second kernel's threads hold the same ones.
    __device__ void leave(const float (&sum)[P.BN / 2], int slot, int first_row) const
    {
        const auto parts = workspace<P>(gemm, block);
#pragma unroll
        for (int i = 0; i < P.BN / 2; i += 4)
            parts.store4(row_of<P>(slot, rank, first_row / 64, i), threadIdx.x % 128 * 4,
                         {sum[i], sum[i + 1], sum[i + 2], sum[i + 3]});
    }

    const TmaGemm& gemm;
    Block<Probe>& block;
    SharedRing<layout_a(P), P.STAGES, Probe, T> As;
    SharedRing<layout_b(P), P.STAGES, Probe, T> Bs;
    Barriers<P.STAGES, Probe> full, empty; // a tile has come; a tile may be overwritten
    Work<P> work;
    int rank; // in the cluster: row after row
};

// C from the parts of the tiles that were cut, added up in their order. A block has 64 x 16 results: of each thread of
// a warpgroup eight.
template <Parameters P, class Probe>
__global__ void __launch_bounds__(128) wgmma_tma_reduce(const __grid_constant__ TmaGemm gemm, Probe probe)
{
    Block block(probe);
    const Work<P> work(gemm);
    const Shares& shares = work.shares;
    const int warpgroup = blockIdx.x % P.consumers(), rank = blockIdx.x / P.consumers() % P.cluster();
    const int cut = blockIdx.y, col = blockIdx.x / (P.consumers() * P.cluster()) * 16;
    const int first = shares.cutter(cut, 0), last = shares.cutter(cut, work.phases - 1);
    if (first == last)
        return; // one block had the whole tile
    const auto parts = workspace<P>(gemm, block);
    block.wait_for_first_kernel();
    float sum[8] = {};
#pragma unroll 8
    for (int i = first; i <= last; ++i) {
        const int slot = shares.slot(cut, i);
#pragma unroll
        for (int j = 0; j < 8; j += 4) {
            const float4 part = parts.load4(row_of<P>(slot, rank, warpgroup, col / 2 + j), threadIdx.x * 4);
            sum[j] += part.x;
            sum[j + 1] += part.y;
            sum[j + 2] += part.z;
            sum[j + 3] += part.w;
        }
    }
    const Place place = work.place(shares.alone() + cut, rank);
    store_sums<16>(gemm, block, sum, place.row + warpgroup * 64, place.col + col);
}

template <Parameters P, class Probe>
__global__ void __cluster_dims__(P.cluster())
    __launch_bounds__(P.threads(), 1) wgmma_tma(const __grid_constant__ TmaGemm gemm, Probe probe)
{
    Block block(probe);
    block.let_second_kernel_begin();
    Kernel<P, Probe>(gemm, block, ptx::dynamic_shared<Tiles<P>>()).run();
}

#endif

} // namespace wgmma_tma

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"
#include "gemm/launch_time.h"

#include <utility>

namespace wgmma_tma {

inline constexpr Parameters variants[] = {{}, {type_fp16}, {type_bf16, 128, 128, 64, 6}, {type_bf16, 64, 128, 64, 8}};

inline int dynamic_shared(Parameters p)
{
    return p.STAGES * (p.stage_bytes() + 2 * int(sizeof(uint64_t))); // tiles and their two barriers
}

inline std::string refusal(Parameters p)
{
    if (p.TYPE != type_fp16 && p.TYPE != type_bf16)
        return "TYPE must be bf16 or fp16";
    if (p.BM != 64 && p.BM != 128 && p.BM != 192)
        return "BM must be 64, 128 or 192: 64 rows for each of up to three warpgroups";
    if (p.BN < 64 || p.BN > 256 || p.BN % 32 != 0)
        return "BN must be 64, 96, 128, ... 256, the width of one product";
    if (p.BM == 192 && p.BN > 192)
        return "BN must be 192 at most where BM is 192: four warpgroups share the registers";
    if (p.BK != 64)
        return "BK must be 64: its 128 bytes are the longest line that the copy can swizzle";
    if (p.STAGES < 2 || dynamic_shared(p) > most_dynamic_shared)
        return "STAGES must be at least 2, and STAGES tiles fit the 227 KiB that a block gets";
    if (p.CUT < 0 || p.CUT > 1 || p.BLOCKS < 1 || p.GROUP < 1)
        return "CUT must be 0 or 1, BLOCKS and GROUP at least 1";
    for (const int blocks : {p.ABOVE, p.BESIDE})
        if (blocks != 1 && blocks != 2 && blocks != 4)
            return "ABOVE and BESIDE must be 1, 2 or 4";
    if (p.cluster() > 8 || p.BLOCKS < p.cluster())
        return "A cluster, ABOVE x BESIDE blocks, must have 8 at most, and no more than BLOCKS";
    return "";
}

inline Shares shares_of(Parameters p, const Problem& problem)
{
    return {ceil_div(problem.N, p.cols()) * ceil_div(problem.M, p.rows()), ceil_div(problem.K, p.BK), p.wave()};
}

// Bytes that a block copies in a phase, on average, as they count at L2: what others of its cluster copy, and what lies
// outside of the matrices, does not. Where rows are no multiples of 128 bytes each touches a line more: measured on an H200,
// that costs twice as much.
inline double copied(Parameters p, const Problem& problem)
{
    const double rows = double(problem.M) / ceil_div(problem.M, p.rows()) / p.ABOVE;
    const double cols =
        std::min(double(problem.N) / ceil_div(problem.N, p.cols()) / p.BESIDE * p.copied() / p.BN, double(p.copied()));
    const double a = problem.K % 64 == 0 ? 1 : 2.0, b = problem.N % 64 == 0 ? 1 : 2.2;
    return (rows * a / p.BESIDE + cols * b / p.ABOVE) * p.BK * 2;
}

// The tiles, and the way to share them out, that should end soonest.
inline Parameters suited(const Problem& problem, int sm_count)
{
    static constexpr struct {
        int BM, BN;
        double phase, block; // microseconds, see kernels::TileTime; H200, 2026-11-22, fitted to 5,500 launches
    } tiles[] = {{64, 64, 0.137, 0.42},   {64, 96, 0.203, 0.58},   {64, 128, 0.195, 0.75},  {64, 256, 0.307, 1.66},
                 {128, 64, 0.203, 0.72},  {128, 128, 0.283, 1.31}, {128, 160, 0.369, 1.56}, {128, 192, 0.417, 1.80},
                 {128, 224, 0.502, 2.09}, {128, 256, 0.554, 2.41}, {192, 64, 0.284, 1.04},  {192, 96, 0.364, 1.44},
                 {192, 128, 0.425, 1.80}, {192, 192, 0.621, 2.43}};
    static constexpr kernels::LaunchTime gpu{2.21, 0.84, 1.25, 0.393, 0.17, 1, 0.0553, 0.249, 0.9};
    kernels::Soonest<Parameters> soonest;
    for (const auto& tile : tiles)
        for (const auto& [above, beside] : {std::pair{1, 1}, {2, 1}, {1, 2}}) // of four, fewer fit than SMs / 4
            for (const int cut : {0, 1}) {
                Parameters p{type_bf16, tile.BM, tile.BN, 64, 1, sm_count, 16, cut, above, beside};
                p.STAGES = std::min(12, most_dynamic_shared / dynamic_shared(p));
                kernels::TiledLaunch launch{shares_of(p, problem), ceil_div(problem.K, p.BK), 1, p.BM * p.BN / 262144.};
                launch.blocks = p.cluster();
                launch.copied = copied(p, problem) * 1e-6;
                launch.memory = kernels::bytes_of(problem, 2) * 1e-6;
                soonest.offer(p, gpu.of(launch, {tile.phase, 0, tile.block}, sm_count));
            }
    return soonest.best;
}

inline SecondKernel<Parameters> reduction()
{
    return {.name = "wgmma_tma_reduce",
            .launch = [](Parameters p, const Problem& problem) -> Launch {
                return {.grid = {p.cluster() * p.consumers() * p.BN / 16, shares_of(p, problem).cut()}, .block = {128}};
            },
            .workspace =
                [](Parameters p, const Problem& problem) {
                    const uint64_t slots = uint64_t(shares_of(p, problem).slots()) * p.cluster();
                    return matrix("workspace", slots * p.consumers() * p.BN / 8, 512);
                },
            .on_cpu = {}};
}

inline auto info()
{
    return StageInfo<Parameters, TmaGemm>{
        .slug = "wgmma_tma",
        .idea = "Hopper: TMA copies, warpgroups multiply from shared memory",
        .builds_on = "mma_ldmatrix",
        .parameters = {{"TYPE", &Parameters::TYPE, "type of A and B"},
                       {"BM", &Parameters::BM, "rows of C per tile"},
                       {"BN", &Parameters::BN, "columns of C per tile"},
                       {"BK", &Parameters::BK, "slice of K per phase"},
                       {"STAGES", &Parameters::STAGES, "tiles in shared memory at once"},
                       {"BLOCKS", &Parameters::BLOCKS, "blocks launched at most"},
                       {"GROUP", &Parameters::GROUP, "rows of tiles worked on together"},
                       {"CUT", &Parameters::CUT, "1: the last tiles cut along K"},
                       {"ABOVE", &Parameters::ABOVE, "blocks of a cluster above each other"},
                       {"BESIDE", &Parameters::BESIDE, "blocks of a cluster beside each other"}},
        .variants = variants,
        .refusal = refusal,
        .launch = [](Parameters p, const Problem& problem) -> Launch {
            return {.grid = {std::min(shares_of(p, problem).blocks(), p.clusters()) * p.cluster()},
                    .block = {p.threads()}};
        },
        .on_cpu = {}, // neither WGMMA nor TMA have a form for the CPU
        .tiles = [](Parameters p) { return rings(layout_a(p), layout_b(p), p.STAGES, 2); },
        .dynamic_shared = dynamic_shared,
        .type = [](Parameters p) { return static_cast<Type>(p.TYPE); },
        .second = reduction(),
        .suited = suited,
        .only_compute_capability = 90,
        .boxes = [](Parameters p) -> std::array<kernels::TensorBox, 2> {
            return {{{p.BM / p.BESIDE, p.BK}, {p.BK / p.ABOVE, 64}}};
        },
    };
}

} // namespace wgmma_tma
#endif
