// wgmma_tma: Hopper. The tensor memory accelerator copies, warpgroups multiply straight from shared memory.
//
// Idea: the program says what should happen, the hardware does it. One thread of a producer warpgroup requests whole
// tiles; barriers in shared memory count bytes. Two consumer warpgroups wait for a tile and start products of 64 x 256
// x 16, which read shared memory themselves. No other thread touches an operand. The instruction has 64 rows and a
// choice of columns. It multiplies transposes, so rows of C are the choice: tiles fit matrix and SMs, as in cuBLAS.
//
// Was slow: in mma_ldmatrix the warps move every operand from shared memory to registers, and wait for it.
//
// Look at: the timelines. The producer runs up to STAGES tiles ahead and stops if a tile has not been released. A
// consumer releases a tile when the products that read it have ended, one phase later. Each block computes several
// tiles of C in turn, so that the copies for the next tile begin while the last one is being stored.
//
// No lane makes these accesses: bulk copies and operands are recorded from their descriptors (derived), without
// addresses per lane. The 128-byte swizzle is that of mma_ldmatrix; here the hardware applies it on both sides. Rows of
// A and B are padded to 16 bytes, as copies require; elements outside a matrix arrive as zeros: edges need no code.
//
// Leaving an idea out shows what it gains: two tiles in shared memory (STAGES=2), half of the columns (BN=64) or of the
// rows (BM=128) of a tile, a block for each tile (BLOCKS=1000000), tiles taken row by row (GROUP=1). At large sizes the
// power limit lowers the clock, for cuBLAS too: cycles compare better than microseconds.
//
// If C has few tiles or a long K, blocks of a cluster cooperate (device/cluster_work.h, cluster_sum.h). A size's tiles
// and division of work are chosen by estimate (gemm/wgmma_time.h). Rows multiples of 16 bytes, H200, 2026-11-24: 1.02
// of cuBLAS in the geometric mean over 122 random shapes that it was not fitted to, at worst 0.71.
//
// Loads per result: (1/BM + 1/BN) K = 3K/256 elements of 2 bytes from global memory, by the accelerator. Intensity at
// global memory: 85 FLOP per byte.

#include "device/cluster_sum.h"
#include "device/cut_tiles.h"
#include "device/sum_stores.h"

namespace wgmma_tma {

struct Parameters {
    int TYPE = type_bf16;            // of A and B
    int BM = 256, BN = 128, BK = 64; // block tile
    int STAGES = 4;                  // tiles in shared memory
    int BLOCKS = 132;                // maximum on the GPU if DEPTH is 1: one for each SM of an H200
    int GROUP = 8;                   // rows of tiles that are processed together
    int CUT = 0;                     // 1: the tiles of the last wave are split along K, for all blocks
    int ABOVE = 1, BESIDE = 1;       // blocks of a cluster: those above each other share B's tiles, those beside A's
    int DEPTH = 1;                   // blocks of a cluster that share a tile of C: each sums a part of K
    int TYPE_C = type_fp32;          // or that of A and B

    __host__ __device__ constexpr int sharing() const { return ABOVE * BESIDE; } // blocks that share copies
    __host__ __device__ constexpr int cluster() const { return sharing() * DEPTH; }
    __host__ __device__ constexpr int rows() const { return BM * ABOVE; } // rows of C that a cluster computes at a time
    __host__ __device__ constexpr int cols() const { return BN * BESIDE; }
    __host__ __device__ constexpr int clusters() const { return BLOCKS / cluster(); }

    __host__ __device__ constexpr int consumers() const { return BN / 64; } // warpgroups
    __host__ __device__ constexpr int threads() const { return (consumers() + 1) * 128; }
    __host__ __device__ constexpr int of_producer() const
    {
        return consumers() == 3 ? 32 : 40;
    } // registers of a thread
    __host__ __device__ constexpr int of_consumer() const { return consumers() == 3 ? 160 : 248 - 8 * consumers(); }
    __host__ __device__ constexpr int squares() const { return BM / 16 * (BN / 16); } // squares of 16 x 16 in a tile
    __host__ __device__ constexpr int stage_bytes() const { return (BM + BN) * BK * 2; }
};

__host__ __device__ constexpr SwizzledChunks layout_a(Parameters p)
{
    return {p.BM, p.BK, 8};
}

__host__ __device__ constexpr SwizzledSlabs layout_b(Parameters p)
{
    return {p.BK, p.BN};
}

#ifdef __CUDACC__

template <Parameters P>
struct Tiles {
    TileStorage<layout_a(P), Element<P.TYPE>> a[P.STAGES];
    TileStorage<layout_b(P), Element<P.TYPE>> b[P.STAGES];
    TileStorage<patch_layout(4 * P.consumers())> patch;
    uint64_t full[P.STAGES], empty[P.STAGES], sums[1];
}; // and after them, where blocks share a tile, their sums

template <Parameters P, class Probe>
class Kernel {
public:
    using T = Element<P.TYPE>;

    __device__ Kernel(const TmaGemm& gemm, Block<Probe>& block, Tiles<P>& tiles)
        : gemm(gemm), block(block), As(tiles.a, block), Bs(tiles.b, block), patch(tiles.patch, block),
          full(tiles.full, 0, block), empty(tiles.empty, P.STAGES, block), come(tiles.sums, 2 * P.STAGES, block),
          work(gemm), sums(reinterpret_cast<SquareSums<P.DEPTH>*>(&tiles + 1), come, work.rank)
    {
    }

    __device__ void run()
    {
        if (threadIdx.x == 0) {
            ptx::prefetch_map(&gemm.a_map);
            ptx::prefetch_map(&gemm.b_map);
            full.init(1);
            empty.init(P.consumers() * P.sharing());
            sums.expect();
        }
        work.meet(block);
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
            ptx::cluster_sync(); // the other blocks' copies and arrivals access this block's memory
    }

private:
    // One thread requests tile after tile, as soon as there is room.
    __device__ void produce() const
    {
        const auto A = gemm.A<T>(block);
        const auto B = gemm.B<T>(block);
        const Sharers beside = work.beside(), above = work.above(); // each copies a part of a tile, for all of them
        Turn<P.STAGES> turn;
        work.for_each_share([&](Share share, Place place) {
            for (int phase = 0; phase < share.phases; ++phase, turn.next()) {
                const int k = (share.first + phase) * P.BK;
                uint64_t* const here = full[turn.stage];
                empty.wait(turn.stage, turn.parity ^ 1);
                full.arrive_and_expect(turn.stage, P.stage_bytes());
                copy_together<P.BESIDE, P.BM>(gemm.a_map, A, {place.row, k}, As[turn.stage], 0, here, beside);
                for (int col = 0; col < P.BN; col += 64)
                    copy_together<P.ABOVE, P.BK>(gemm.b_map, B, {k, place.col + col}, Bs[turn.stage], col, here, above);
            }
        });
    }

    // A warpgroup computes 64 columns of each tile of C, starting at the tile's column `first_col`.
    __device__ void consume(int first_col) const
    {
        Turn<P.STAGES> turn;
        work.for_each_share([&](Share share, Place place) {
            float sum[P.BM / 2];
            if (P.DEPTH > 1) // there may be fewer phases than blocks
                for (float& one : sum)
                    one = 0;
            int last = -1; // the stage whose products are still pending
            for (int phase = 0; phase < share.phases; ++phase, turn.next()) {
                full.wait(turn.stage, turn.parity);
                ptx::wgmma_fence();
#pragma unroll
                for (int k = 0; k < P.BK; k += 16)
                    multiply_group<T>(sum, As[turn.stage], Bs[turn.stage], k, first_col, phase > 0 || k > 0);
                ptx::wgmma_commit_group();
                ptx::wgmma_wait_group<1>();                      // the products of the previous phase have ended
                empty.template arrive_as_one<P.sharing()>(last); // in each block that copies to this one
                last = turn.stage;
            }
            ptx::wgmma_wait_group<0>();
            empty.template arrive_as_one<P.sharing()>(last);
            if constexpr (P.DEPTH > 1)
                sums.add_up(sum, (first_col + col_of_warp()) / 16, [&](const float* total, int row, int col) {
                    stores().template rows<16>(total, {place.row + row, place.col + col});
                });
            else if (share.slot >= 0)
                leave(sum, share.slot, first_col);
            else
                store_tile(sum, place.row, place.col + first_col + col_of_warp());
        });
    }

    __device__ void store_tile(const float (&sum)[P.BM / 2], int row, int col) const
    {
        stores().tile(sum, {row, col});
    }
    __device__ auto stores() const
    {
        return sum_stores<P.TYPE_C>(gemm, block, patch.part(threadIdx.x / 32 * 16 - 64, 0));
    }

    __device__ void leave(const float (&sum)[P.BM / 2], int slot, int first_col) const // stores a part of K
    {
        Parts<P, Probe>(gemm, block).leave(sum, slot, work, first_col);
    }

    const TmaGemm& gemm;
    Block<Probe>& block;
    SharedRing<layout_a(P), P.STAGES, Probe, T> As;
    SharedRing<layout_b(P), P.STAGES, Probe, T> Bs;
    SharedTile<patch_layout(4 * P.consumers()), Probe> patch;
    Barriers<P.STAGES, Probe> full, empty; // a tile has arrived; a tile may be overwritten
    Barriers<1, Probe> come;               // the others' sums have arrived
    ClusterWork<P> work;
    ClusterSum<P.DEPTH, P.squares(), P.BM / 16, Probe> sums;
};

// Computes C from the parts of the tiles that were split.
template <Parameters P, class Probe>
__global__ void __launch_bounds__(128) wgmma_tma_reduce(const __grid_constant__ TmaGemm gemm, Probe probe)
{
    Block block(probe);
    add_up_parts<P>(gemm, block);
}

template <Parameters P, class Probe>
__device__ void run(const TmaGemm& gemm, Probe& probe)
{
    Block block(probe);
    block.let_second_kernel_begin();
    Kernel<P, Probe>(gemm, block, ptx::dynamic_shared<Tiles<P>>()).run();
}

// A kernel for clusters of one block would begin later than one that knows of no clusters: 0.1 us (H200, 2026-11-23).
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

inline constexpr Parameters variants[] = {{}, {type_fp16}, {type_bf16, 128, 128, 64, 6}, {type_bf16, 128, 64, 64, 8}};

inline SecondKernel<Parameters> reduction()
{
    return {.name = "wgmma_tma_reduce",
            .launch = [](Parameters p, const Problem& problem) -> Launch {
                return {.grid = {p.cluster() * p.consumers() * p.BM / 16, kernels::wgmma_shares(p, problem).cut()},
                        .block = {128}};
            },
            .workspace =
                [](Parameters p, const Problem& problem) {
                    return matrix("workspace", kernels::wgmma_workspace_rows(p, problem), 512);
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
        .refusal = kernels::refusal_of_wgmma<Parameters>,
        .launch = [](Parameters p, const Problem& problem) -> Launch {
            const int clusters = kernels::wgmma_shares(p, problem).blocks(); // with DEPTH all: `come` serves one tile
            return {.grid = {(p.DEPTH > 1 ? clusters : std::min(clusters, p.clusters())) * p.cluster()},
                    .block = {p.threads()}};
        },
        .on_cpu = {}, // neither WGMMA nor TMA has a form for the CPU
        .tiles =
            [](Parameters p) {
                std::vector<Array> tiles = rings(layout_a(p), layout_b(p), p.STAGES, 2);
                tiles.push_back(tile("patch", patch_layout(4 * p.consumers())));
                return tiles;
            },
        .dynamic_shared = kernels::wgmma_shared_bytes<Parameters>,
        .type = [](Parameters p) { return static_cast<Type>(p.TYPE); },
        .type_of_c = [](Parameters p) { return static_cast<Type>(p.TYPE_C); },
        .second = reduction(),
        .suited = kernels::soonest_wgmma<Parameters>,
        .only_compute_capability = 90,
        .boxes = [](Parameters p) -> std::array<kernels::TensorBox, 2> {
            return {{{p.BM / p.BESIDE, p.BK}, {p.BK / p.ABOVE, 64}}};
        },
    };
}

} // namespace wgmma_tma
#endif
