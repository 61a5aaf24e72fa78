// How long a GEMM kernel takes, reckoned from its tiles: which of several to launch. Host side only.
#pragma once

#include "device/shares.h"

#include <algorithm>
#include <cmath>

namespace kernels {

// What a block with such a tile takes, in microseconds, as an H200 was timed.
struct TileTime {
    double phase_alone = 0;  // per phase, where it has the SM for itself: latency
    double phase_shared = 0; // per phase and block on the SM: throughput
    double block = 0;        // for its beginning and end
};

struct TiledLaunch {
    Shares shares;
    int phases;        // of K, per tile
    int blocks_per_sm; // at once
    double tile_mib;   // of sums
};

// What the GPU takes beside the tiles, as an H200 was timed: microseconds.
struct LaunchTime {
    double launch, second_launch; // the kernel; the one that adds up
    double cut;                   // the second part of a share
    double per_mib;               // of sums left in memory and read again, by all SMs together
    double per_part;              // of a tile: its parts are added one after another
    double slower;                // by so much does the kernel multiply that can cut: it needs more registers

    // Blocks are worked on in turns of as many as all SMs hold; those of the last turn have an SM to fewer of them.
    double of(const TiledLaunch& what, const TileTime& tile, int sm_count) const
    {
        const double slowed = what.shares.slots() > 0 ? slower : 1;
        const auto turn = [&](int blocks, double phases) {
            const int on_one_sm = (blocks + sm_count - 1) / sm_count;
            return slowed * phases * std::max(tile.phase_alone, on_one_sm * tile.phase_shared) + tile.block;
        };
        const int at_once = sm_count * what.blocks_per_sm, alone = what.shares.alone(), last = alone % at_once;
        double time = launch + alone / at_once * turn(at_once, what.phases) + (last > 0 ? turn(last, what.phases) : 0);
        if (const int tiles = what.shares.cut(); tiles > 0) {
            const int blocks = what.shares.cutters();
            time += turn(blocks, std::ceil(double(tiles) * what.phases / blocks)) + cut;
            if (blocks > tiles)
                time += second_launch + (blocks + tiles) * what.tile_mib * per_mib + per_part * blocks / tiles;
        }
        return time;
    }
};

} // namespace kernels
