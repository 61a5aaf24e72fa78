// Estimates the time of a GEMM kernel from its tiles, to choose which of several kernels to launch. Host side only.
#pragma once

#include "device/shares.h"
#include "recording/recording.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kernels {

// Time of a block with a given tile in microseconds, fitted to measurements on an H200.
struct TileTime {
    double phase_alone = 0;  // per phase of a block that is alone on its SM: latency
    double phase_shared = 0; // per phase and block if the SM has several blocks: throughput
    double block = 0;        // constant cost of a block's start and end
};

struct TiledLaunch {
    Shares shares;
    int phases;        // phases of K per tile
    int blocks_per_sm; // resident at the same time
    double tile_mib;   // MiB of partial sums
    int warps = 4;     // per block
    int blocks = 1;    // blocks per cluster, which compute one tile together or neighboring tiles
    int depth = 1;     // number of these blocks that each sum a part of K
    double copied = 0; // units of 10^6 bytes that a block copies per phase; 0: the tile's time includes them
    double single = 0; // additional microseconds per phase of a block that copies element by element
};

// Keeps the parameter set with the smallest estimated time.
template <class Parameters>
struct Soonest {
    Parameters best;
    double least = std::numeric_limits<double>::infinity();

    void offer(const Parameters& parameters, double time)
    {
        if (time < least) {
            best = parameters;
            least = time;
        }
    }
};

// Costs of a launch besides its tiles in microseconds, fitted to measurements on an H200.
struct LaunchTime {
    double launch, second_launch; // the kernel itself; the kernel that adds partial sums
    double cut;                   // the second part of a share
    double per_mib;               // per MiB of partial sums stored and loaded again by all SMs
    double per_part;              // per part of a tile: parts are added one after another
    double slower; // slowdown factor of the multiplication in the kernel that can split tiles: it needs more registers
    double per_copied = 0;   // per 10^6 bytes through L2
    double cluster = 0;      // time for the blocks of a cluster to synchronize
    double per_gathered = 0; // per MiB of sums that the blocks of a cluster send to each other

    // Returns microseconds. Blocks run in waves that fill all SMs. In the last wave fewer blocks share an SM.
    double of(const TiledLaunch& what, const TileTime& tile, int sm_count) const
    {
        const double slowed = what.shares.slots() > 0 ? slower : 1;
        const auto turn = [&](int tiles, double phases) {
            const int blocks = tiles * what.blocks, on_one_sm = (blocks + sm_count - 1) / sm_count;
            const double multiplying = std::max(tile.phase_alone, busy(on_one_sm, what.warps) * tile.phase_shared);
            const double copying = blocks * what.copied * per_copied;
            return phases * together(slowed * multiplying + on_one_sm * what.single, copying) + tile.block;
        };
        const int at_once = std::max(1, in_clusters(sm_count, what.blocks) * what.blocks_per_sm / what.blocks);
        const int alone = what.shares.alone(), last = alone % at_once;
        double time = launch + (what.blocks > 1 ? cluster : 0) + alone / at_once * turn(at_once, what.phases) +
                      (last > 0 ? turn(last, what.phases) : 0) + (what.depth > 1 ? what.tile_mib * per_gathered : 0);
        if (const int tiles = what.shares.cut(); tiles > 0) {
            const int blocks = what.shares.cutters();
            time += turn(blocks, std::ceil(double(tiles) * what.phases / blocks)) + cut;
            if (blocks > tiles)
                time += second_launch + (blocks + tiles) * what.blocks * what.tile_mib * per_mib +
                        per_part * blocks / tiles;
        }
        return time;
    }

    // Returns how many SMs clusters of this size can use. An H200 ran 30 clusters of four and 15 of eight (2026-11-23).
    static int in_clusters(int sm_count, int blocks) { return blocks > 2 ? sm_count * 10 / 11 : sm_count; }

private:
    // Returns the effective number of blocks on an SM. Each warp stays on one of four schedulers, and the scheduler
    // with the most warps finishes last.
    static double busy(int blocks, int warps) { return warps < 4 ? (blocks * warps + 3) / 4 * 4. / warps : blocks; }
    // Estimates the time of two overlapping activities: more than the longer one, less than their sum.
    static double together(double a, double b) { return std::hypot(a, b); }
};

} // namespace kernels
