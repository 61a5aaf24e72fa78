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
// Types: BF16 or FP16 in, FP32 sums, C in FP32 or as A and B (TYPE_C). Rows of A and B are padded to 16 bytes, as the copies
// ask; what lies outside of a matrix arrives as zeros, so that edges need no code but for the store.
//
// On an H200 (2026-11-22), BF16: 640 to 655 TFLOPS at 4096^3, 101 to 109 % of cuBLAS, and 673 at 8192^3, 103 %. The power
// limit holds the clock down for both, so their cycles are compared (Nsight Compute): 297,600, cuBLAS 296,300. Of the whole:
// with two tiles in shared memory (STAGES=2) 73 %, tiles of 64 x 256 (BM=64) and of 128 x 128 (BN=128) 93 %, a block for each
// tile (BLOCKS=1000000) 98 %, tiles taken row after row (GROUP=1) 99 %. Stores of 8 bytes instead of 16: 95 %.
//
// Few results: most SMs would have nothing to do, and those that have wait for their copies, since L2 gives an SM 64 bytes
// per cycle. So DEPTH blocks of a cluster sum parts of K for the same tile, and send each other their sums, counted by a barrier
// as copies are. 128 x 192 x 5632: 4.7 microseconds, cuBLAS 5.9, with sums by way of global memory (CUT=1) 12 (2026-11-23).
//
// Other shapes: smaller tiles copy more for each result than L2 gives. So blocks of a cluster share their copies: those ABOVE
// each other need the same tile of B, and each copies a part of its rows to all of them; those BESIDE each other likewise of A. A
// tile may be overwritten when the consumers of all have given it back. With CUT=1 the tiles that whole waves leave are cut
// along K as in fastest. Which of these ends soonest is reckoned from the shape. Over 202 shapes drawn at random with rows of
// multiples of 16 bytes that comes to 1.00 of cuBLAS in the geometric mean, at worst 0.66; over 98 others to 2.32 (2026-11-23).
//
// Loads per result: (1/BM + 1/BN) K = 3K/256 elements of 2 bytes from global memory, by the accelerator. Intensity at
// global memory: 85 FLOP per byte.

#include "device/cluster_sum.h"
#include "device/raster.h"
#include "device/shares.h"
#include "device/sum_stores.h"

namespace wgmma_tma {

struct Parameters {
    int TYPE = type_bf16;            // of A and B
    int BM = 128, BN = 256, BK = 64; // block tile
    int STAGES = 4;                  // tiles in shared memory
    int BLOCKS = 132;                // on the GPU at most: one for each SM of an H200
    int GROUP = 16;                  // rows of tiles that are worked on together
    int CUT = 0;                     // 1: the tiles of the last wave are cut along K, for all blocks
    int ABOVE = 1, BESIDE = 1;       // blocks of a cluster: those above each other share B's tiles, those beside A's
    int DEPTH = 1;                   // blocks of a cluster that share a tile of C: each sums a part of K
    int TYPE_C = type_fp32;          // or that of A and B

    __host__ __device__ constexpr int sharing() const { return ABOVE * BESIDE; } // blocks that share copies
    __host__ __device__ constexpr int cluster() const { return sharing() * DEPTH; }
    __host__ __device__ constexpr int rows() const { return BM * ABOVE; } // of C, that a cluster computes at a time
    __host__ __device__ constexpr int cols() const { return BN * BESIDE; }
    __host__ __device__ constexpr int clusters() const { return BLOCKS / cluster(); }
    __host__ __device__ constexpr int wave() const { return CUT ? clusters() : 0; }

    __host__ __device__ constexpr int consumers() const { return BM / 64; } // warpgroups
    __host__ __device__ constexpr int threads() const { return (consumers() + 1) * 128; }
    // Registers of a thread: the block has 65,536.
    __host__ __device__ constexpr int of_producer() const { return consumers() == 3 ? 32 : 40; }
    __host__ __device__ constexpr int of_consumer() const { return consumers() == 3 ? 160 : 248 - 8 * consumers(); }
    __host__ __device__ constexpr int squares() const { return BM / 16 * (BN / 16); } // of 16 x 16 results, in a tile
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

__host__ __device__ constexpr Padded layout_patch(int rows) // where results change lanes, 16 x 16 of each warp
{
    return {rows, 16, 8};
}

#ifdef __CUDACC__

template <Parameters P>
struct Tiles {
    TileStorage<layout_a(P), Element<P.TYPE>> a[P.STAGES];
    TileStorage<layout_b(P), Element<P.TYPE>> b[P.STAGES];
    TileStorage<layout_patch(P.BM)> patch;
    uint64_t full[P.STAGES], empty[P.STAGES], sums[1];
}; // and after them, where blocks share a tile, their sums

// Parts of sums: in each row four of each thread of a warpgroup; BN / 8 rows are a warpgroup's, and BM / 64 of those a slot.
template <Parameters P, class Probe>
__device__ Matrix<float, Probe, Edges::inside> workspace(const TmaGemm& gemm, Block<Probe>& block)
{
    return {gemm.workspace, 1 << 30, 512, 512, first_tile + 2 * P.STAGES + 1, block};
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
        : gemm(gemm), block(block), As(tiles.a, block), Bs(tiles.b, block), patch(tiles.patch, block),
          full(tiles.full, 0, block), empty(tiles.empty, P.STAGES, block), come(tiles.sums, 2 * P.STAGES, block),
          work(gemm), rank(blockIdx.x % P.cluster()),
          sums(reinterpret_cast<SquareSums<P.DEPTH>*>(&tiles + 1), come, rank)
    {
    }

    __device__ void run()
    {
        if (threadIdx.x == 0) {
            ptx::prefetch_map(&gemm.a_map);
            ptx::prefetch_map(&gemm.b_map);
            full.init(1);
            empty.init(P.consumers() * P.sharing());
            if (P.DEPTH > 1) {
                come.init(1);
                sums.expect();
            }
        }
        if (P.cluster() > 1)
            ptx::cluster_arrive();
        if (P.sharing() > 1)
            ptx::cluster_wait();
        else
            block.sync();
        const int warpgroup = threadIdx.x / 128;
        if (warpgroup == 0) {
            ptx::setmaxnreg_dec<P.of_producer()>();
            if (threadIdx.x == 0)
                produce();
        } else {
            ptx::setmaxnreg_inc<P.of_consumer()>();
            consume((warpgroup - 1) * 64);
        }
        if (P.sharing() > 1)
            ptx::cluster_sync(); // the others' copies and arrivals come to this block's memory
    }

private:
    // All that this block computes, share after share.
    template <class Function>
    __device__ void for_each_share(const Function& compute) const
    {
        const int clusters = gridDim.x / P.cluster();
        for (int number = blockIdx.x / P.cluster(); number < work.shares.blocks(); number += clusters)
            for (int part = 0; part < (P.CUT ? 2 : 1); ++part)
                if (const Share share = work.shares.part(number, part); share.phases > 0)
                    compute(own(share), work.place(share.tile, P.DEPTH > 1 ? 0 : rank));
    }
    // This block's part of it, among those that share a tile.
    __device__ Share own(Share share) const
    {
        if (P.DEPTH == 1)
            return share;
        const int first = share.phases * rank / P.DEPTH, end = share.phases * (rank + 1) / P.DEPTH;
        return {share.tile, first, end - first, -1};
    }

    // One thread asks for tile after tile, as soon as there is room.
    __device__ void produce() const
    {
        const auto A = gemm.A<T>(block);
        const auto B = gemm.B<T>(block);
        // The blocks beside each other need the same tile of A: each copies a part of its rows, for all of them. Likewise those
        // above each other, of B.
        constexpr unsigned one_row = (1u << P.BESIDE) - 1, one_column = ((1u << P.cluster()) - 1) / one_row;
        const Sharers beside{rank % P.BESIDE, one_row << rank / P.BESIDE * P.BESIDE};
        const Sharers above{rank / P.BESIDE, one_column << rank % P.BESIDE};
        Turn<P.STAGES> turn;
        for_each_share([&](Share share, Place place) {
            for (int phase = 0; phase < share.phases; ++phase, turn.next()) {
                const int k = (share.first + phase) * P.BK;
                uint64_t* const here = full[turn.stage];
                empty.wait(turn.stage, turn.parity ^ 1);
                full.arrive_and_expect(turn.stage, P.stage_bytes());
                copy_together<P.BESIDE, P.BM>(gemm.a_map, A, {place.row, k}, As[turn.stage], 0, here, beside);
                for (int col = 0; col < P.BN; col += 64) // whole slabs, also where the last columns are not multiplied
                    copy_together<P.ABOVE, P.BK>(gemm.b_map, B, {k, place.col + col}, Bs[turn.stage], col, here, above);
            }
        });
    }

    // A warpgroup computes 64 rows of each tile of C, from `first_row` of it on.
    __device__ void consume(int first_row) const
    {
        Turn<P.STAGES> turn;
        for_each_share([&](Share share, Place place) {
            float sum[P.BN / 2];
            if (P.DEPTH > 1) // there may be fewer phases than blocks
                for (float& one : sum)
                    one = 0;
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
            if constexpr (P.DEPTH > 1)
                sums.add_up(sum, (first_row + row_of_warp()) / 16, [&](const float* total, int row, int col) {
                    stores().template columns<16>(total, {place.row + row, place.col + col});
                });
            else if (share.slot >= 0)
                leave(sum, share.slot, first_row);
            else
                store_tile(sum, place.row + first_row + row_of_warp(), place.col);
        });
    }

    __device__ void store_tile(const float (&sum)[P.BN / 2], int row, int col) const
    {
        stores().tile(sum, {row, col});
    }
    __device__ auto stores() const
    {
        const auto own = patch.part(threadIdx.x / 32 * 16 - 64, 0);
        return SumStores<P.TYPE_C, decltype(own), Probe>(gemm, block, own);
    }

    __device__ void give_back(int stage) const
    {
        const int thread = threadIdx.x % 128; // one arrives for the warpgroup, in each block that copies to here
        if (stage < 0)
            return;
        if (P.sharing() > 1)
            empty.arrive_in(thread, stage, thread < P.sharing());
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
    SharedTile<layout_patch(P.BM), Probe> patch;
    Barriers<P.STAGES, Probe> full, empty; // a tile has come; a tile may be overwritten
    Barriers<1, Probe> come;               // the others' sums have
    Work<P> work;
    int rank; // in the cluster: row after row
    ClusterSum<P.DEPTH, P.squares(), P.BN / 16, Probe> sums;
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
    __shared__ TileStorage<layout_patch(64)> patch;
    const auto own = SharedTile<layout_patch(64), Probe>(patch, block).part(row_of_warp(), 0);
    SumStores<P.TYPE_C, decltype(own), Probe>(gemm, block, own)
        .template columns<16>(sum, {place.row + warpgroup * 64 + row_of_warp(), place.col + col});
}

template <Parameters P, class Probe>
__device__ void run(const TmaGemm& gemm, Probe& probe)
{
    Block block(probe);
    block.let_second_kernel_begin();
    Kernel<P, Probe>(gemm, block, ptx::dynamic_shared<Tiles<P>>()).run();
}

// A kernel for clusters of one block would begin later than one that knows of no clusters: 0.1 microseconds on an H200.
template <Parameters P, class Probe>
requires(P.cluster() == 1) __global__
    void __launch_bounds__(P.threads(), 1) wgmma_tma(const __grid_constant__ TmaGemm gemm, Probe probe)
{
    run<P>(gemm, probe);
}
template <Parameters P, class Probe>
requires(P.cluster() > 1) __global__ void __cluster_dims__(P.cluster())
    __launch_bounds__(P.threads(), 1) wgmma_tma(const __grid_constant__ TmaGemm gemm, Probe probe)
{
    run<P>(gemm, probe);
}

#endif

} // namespace wgmma_tma

#ifndef __CUDACC__ // what the host needs to know
#include "describe.h"
#include "gemm/wgmma_time.h"

namespace wgmma_tma {

inline constexpr Parameters variants[] = {{}, {type_fp16}, {type_bf16, 128, 128, 64, 6}, {type_bf16, 64, 128, 64, 8}};

inline int dynamic_shared(Parameters p)
{
    const int barriers = (2 * p.STAGES + 1) * int(sizeof(uint64_t));
    return p.STAGES * p.stage_bytes() + bytes_of(layout_patch(p.BM)) + ceil_div(barriers, 128) * 128 +
           (p.DEPTH > 1 ? p.squares() * 16 * 16 * int(sizeof(float)) : 0);
}

inline std::string refusal(Parameters p)
{
    if (p.TYPE != type_fp16 && p.TYPE != type_bf16)
        return "TYPE must be bf16 or fp16";
    if (p.TYPE_C != type_fp32 && p.TYPE_C != p.TYPE)
        return "TYPE_C must be fp32, or the type of A and B";
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
    if (p.DEPTH < 1 || p.squares() % p.DEPTH != 0 || (p.DEPTH > 1 && (p.sharing() > 1 || p.CUT)))
        return "DEPTH must divide the 16 x 16 squares of a tile, and where it is not 1, ABOVE and BESIDE are, and CUT "
               "is 0";
    if (p.cluster() > 8 || p.BLOCKS < p.cluster())
        return "A cluster, ABOVE x BESIDE x DEPTH blocks, must have 8 at most, and no more than BLOCKS";
    return "";
}

inline Shares shares_of(Parameters p, const Problem& problem)
{
    return {ceil_div(problem.N, p.cols()) * ceil_div(problem.M, p.rows()), ceil_div(problem.K, p.BK), p.wave()};
}

inline int most_stages(Parameters p) // that fit a block's memory
{
    p.STAGES = 0;
    return (most_dynamic_shared - dynamic_shared(p) - 2 * 128) /
           p.stage_bytes(); // the barriers of 12 take 2 * 128 bytes
}

// The tiles, and the way to share them out, that should end soonest.
inline Parameters suited(const Problem& problem, int sm_count)
{
    return kernels::soonest_wgmma<Parameters>(problem, sm_count, shares_of, most_stages);
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
                       {"BESIDE", &Parameters::BESIDE, "blocks of a cluster beside each other"},
                       {"DEPTH", &Parameters::DEPTH, "blocks of a cluster that share a tile of C"},
                       {"TYPE_C", &Parameters::TYPE_C, "type of C"}},
        .variants = variants,
        .refusal = refusal,
        .launch = [](Parameters p, const Problem& problem) -> Launch {
            const int clusters = shares_of(p, problem).blocks();
            return {.grid = {(p.DEPTH > 1 ? clusters : std::min(clusters, p.clusters())) * p.cluster()},
                    .block = {p.threads()}};
        },
        .on_cpu = {}, // neither WGMMA nor TMA have a form for the CPU
        .tiles =
            [](Parameters p) {
                std::vector<Array> tiles = rings(layout_a(p), layout_b(p), p.STAGES, 2);
                tiles.push_back(tile("patch", layout_patch(p.BM)));
                return tiles;
            },
        .dynamic_shared = dynamic_shared,
        .type = [](Parameters p) { return static_cast<Type>(p.TYPE); },
        .type_of_c = [](Parameters p) { return static_cast<Type>(p.TYPE_C); },
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
