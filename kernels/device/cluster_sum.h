// Sums a tile of C that the blocks of a cluster computed from different parts of K. Each block sums a part, which the
// others send to its shared memory. No lane waits for what it sends: a barrier counts the bytes, as for copies.
//
// This is for few results and a long K, where most SMs would be idle and the others would wait for copies: L2 gives one
// SM 64 bytes per cycle. wgmma_tma at 128 x 192 x 5632 on an H200 (2026-11-23): 4.7 microseconds with DEPTH=8, cuBLAS
// 5.9, 12 with sums through global memory (CUT=1).
#pragma once

#include "device/tma_gemm.h"

#ifdef __CUDACC__

// The sums of each block for one square of 16 x 16 results: eight per lane of a warp.
template <int blocks>
struct SquareSums {
    float4 sums[blocks][2][32];
};

// The tile consists of squares, `below` in a column; block n % blocks of the cluster sums square n.
template <int blocks, int squares, int below, class Probe>
class ClusterSum {
public:
    static constexpr int own = squares / blocks; // squares that a block sums

    __device__ ClusterSum(SquareSums<blocks>* memory, const Barriers<1, Probe>& come, int rank)
        : memory(memory), come(come), rank(rank)
    {
    }

    // One thread calls it before the cluster's blocks arrive at their barrier.
    __device__ void expect(int line = __builtin_LINE()) const
    {
        if (blocks == 1)
            return;
        come.init(1);
        come.arrive_and_expect(0, own * int(sizeof(SquareSums<blocks>)), line);
    }

    // `sum` holds a warp's part of a column of squares. Calls store(sums, row, col) for each square that this warp
    // sums, with its position in the tile.
    template <class Store>
    __device__ void add_up(const float* sum, int warp, const Store& store, int line = __builtin_LINE()) const
    {
        const int lane = threadIdx.x % 32;
        ptx::cluster_wait(); // all blocks have started: their shared memory exists
#pragma unroll
        for (int i = 0; i < 2 * below; ++i) {
            const int square = warp * below + i / 2;
            const float* s = &sum[i * 4];
            ptx::store_in(square % blocks, &memory[square / blocks].sums[rank][i % 2][lane], {s[0], s[1], s[2], s[3]},
                          come[0]);
        }
        come.wait(0, 0, line);
        for (int n = warp; n < own; n += squares / below) {
            float total[8] = {};
#pragma unroll
            for (int i = 0; i < 2 * blocks; ++i) { // in the order of K
                const float4 part = memory[n].sums[i / 2][i % 2][lane];
                total[i % 2 * 4] += part.x;
                total[i % 2 * 4 + 1] += part.y;
                total[i % 2 * 4 + 2] += part.z;
                total[i % 2 * 4 + 3] += part.w;
            }
            const int square = n * blocks + rank;
            store(total, square % below * 16, square / below * 16);
        }
    }

private:
    SquareSums<blocks>* memory;
    Barriers<1, Probe> come;
    int rank;
};

#endif
