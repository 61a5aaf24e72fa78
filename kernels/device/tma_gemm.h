// The arguments of a GEMM whose tiles the tensor memory accelerator copies, and views for it: barriers that count
// arrivals, bulk copies, and products of a warpgroup. No lane makes their accesses: a recording derives them from the
// descriptors.
#pragma once

#include "device/cluster_work.h"
#include "device/gemm.h"
#ifdef __CUDACC__
#include "device/hopper.h"
#else
struct alignas(64) TensorMap {
    unsigned char opaque[128];
};
#endif

struct TmaGemm : TensorGemm {
    float* workspace; // for parts of sums
    TensorMap a_map, b_map;
};

#ifdef __CUDACC__

// `count` mbarriers in shared memory, numbered from `first` in a recording.
template <int count, class Probe>
class Barriers {
public:
    __device__ Barriers(uint64_t (&storage)[count], int first, Block<Probe>& block)
        : storage(storage), first(first), probe(block.probe)
    {
    }

    // Called by one thread before the barriers are used. `arrivals` ends a phase. One lane per barrier, at its own
    // address, takes 0.6 microseconds longer for 24 barriers (H200, 2026-11-23).
    __device__ void init(int arrivals) const
    {
        for (int i = 0; i < count; ++i)
            ptx::mbarrier_init(&storage[i], arrivals);
        ptx::fence_mbarrier_init();
    }

    // Phases alternate in parity; the first has parity 0. Before the first has ended, parity 1 counts as completed.
    __device__ void wait(int number, int parity, int line = __builtin_LINE()) const
    {
        probe.access(recording::Op::wait, 0, first + number, 0, true, line);
        ptx::mbarrier_wait(&storage[number], parity);
    }

    // All lanes of a warp call it; those that are `active` arrive.
    __device__ void arrive(int number, bool active, int line = __builtin_LINE()) const
    {
        probe.access(recording::Op::arrive, 0, first + number, 0, active, line);
        if (active)
            ptx::mbarrier_arrive(&storage[number]);
    }

    // The lanes that are `active` arrive, each in another block of the cluster, at the barrier with this number.
    __device__ void arrive_in(int in_block, int number, bool active, int line = __builtin_LINE()) const
    {
        probe.access(recording::Op::arrive, 0, first + number, 0, active, line);
        if (active)
            ptx::mbarrier_arrive_in(in_block, &storage[number]);
    }

    // One thread of a warpgroup arrives for it in each of `blocks` blocks of the cluster. `number` -1: no arrival.
    template <int blocks>
    __device__ void arrive_as_one(int number, int line = __builtin_LINE()) const
    {
        const int thread = threadIdx.x % 128;
        if (number < 0)
            return;
        if (blocks > 1)
            arrive_in(thread, number, thread < blocks, line);
        else
            arrive(number, thread == 0, line);
    }

    // Arrives, and extends the phase until this many bytes have been copied.
    __device__ void arrive_and_expect(int number, int bytes, int line = __builtin_LINE()) const
    {
        probe.access(recording::Op::arrive, 0, first + number, 0, true, line);
        ptx::mbarrier_arrive_expect_tx(&storage[number], bytes);
    }

    __device__ uint64_t* operator[](int number) const { return &storage[number]; }

private:
    uint64_t (&storage)[count];
    int first;
    Probe& probe;
};

// Position in the ring of stages: the stage, and the parity of its barriers' phase.
template <int stages>
struct Turn {
    int stage = 0, parity = 0;
    __device__ void next()
    {
        stage = stage + 1 == stages ? 0 : stage + 1;
        parity ^= stage == 0;
    }
};

// One thread starts to copy the map's box at (row, col) of `matrix` to (to_row, to_col) of the tile.
template <class Matrix, class Tile>
__device__ void copy_bulk(const TensorMap& map, const Matrix& matrix, int row, int col, const Tile& tile, int to_row,
                          int to_col, uint64_t* barrier, int line = __builtin_LINE())
{
    matrix.note(recording::Op::bulk_load, row, col, line);
    ptx::tma_load(tile.target(recording::Op::bulk_store, to_row, to_col, 0, line), &map, row, col, barrier);
}

// The same into the shared memory of several blocks of a cluster, see ptx::tma_load_multicast. One of them, `mine`,
// issues the copy. Each block has it in its recording, because its tile receives the box.
template <class Matrix, class Tile>
__device__ void copy_bulk_shared(const TensorMap& map, const Matrix& matrix, int row, int col, const Tile& tile,
                                 int to_row, int to_col, uint64_t* barrier, unsigned blocks, bool mine,
                                 int line = __builtin_LINE())
{
    matrix.note(recording::Op::bulk_load, row, col, line);
    auto* to = tile.target(recording::Op::bulk_store, to_row, to_col, 0, line);
    if (mine)
        ptx::tma_load_multicast(to, &map, row, col, barrier, blocks);
}

// `parts` blocks of a cluster copy a tile of `rows` rows from `from` of `matrix`: each copies a part to all.
template <int parts, int rows, class Matrix, class Tile>
__device__ void copy_together(const TensorMap& map, const Matrix& matrix, Place from, const Tile& tile, int to_col,
                              uint64_t* barrier, Sharers sharers, int line = __builtin_LINE())
{
    if constexpr (parts == 1)
        copy_bulk(map, matrix, from.row, from.col, tile, 0, to_col, barrier, line);
    else
        for (int i = 0; i < parts; ++i)
            copy_bulk_shared(map, matrix, from.row + i * rows / parts, from.col, tile, i * rows / parts, to_col,
                             barrier, sharers.blocks, sharers.mine == i, line);
}

// Starts sum += As[all rows][k .. k + 15] * Bs[k .. k + 15][col .. col + 63] by a warpgroup's 128 threads; without
// `add` the sum starts at zero. The instruction multiplies transposes: its 64 rows are columns of C, its columns (any
// multiple of 8) are rows of C. A's tile has 128 bytes per row; B's layout is SwizzledSlabs.
template <class Element, int sums, class TileA, class TileB>
__device__ void multiply_group(float (&sum)[sums], const TileA& As, const TileB& Bs, int k, int col, bool add,
                               int line = __builtin_LINE())
{
    const Element* b = Bs.target(recording::Op::matrix_multiply, k, col, 0, line); // in the order of the instruction
    const Element* a = As.target(recording::Op::matrix_multiply, 0, 0, 0, line);
    ptx::wgmma(Element{}, sum, ptx::wgmma_operand(b, 8 * 128, 0), ptx::wgmma_operand(a + k, 8 * 128, 0), add);
}

#endif
