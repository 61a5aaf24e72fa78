// How long a GEMM kernel takes, reckoned from its tiles: which of several to launch. Host side only.
#pragma once

#include "device/shares.h"
#include "recording/recording.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
    int warps = 4;     // of a block
    int blocks = 1;    // that compute a tile together, or tiles beside each other: a cluster
    int depth = 1;     // of those, blocks that each sum a part of K
    double copied = 0; // by a block in a phase, in units of 10^6 bytes; 0: what it costs is in the tile's time
    double single = 0; // microseconds that a block takes longer for a phase, where it copies element by element
};

// Which of several parameter sets should end soonest.
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

// What the GPU takes beside the tiles, as an H200 was timed: microseconds.
struct LaunchTime {
    double launch, second_launch; // the kernel; the one that adds up
    double cut;                   // the second part of a share
    double per_mib;               // of sums left in memory and read again, by all SMs together
    double per_part;              // of a tile: its parts are added one after another
    double slower;                // by so much does the kernel multiply that can cut: it needs more registers
    double per_copied = 0;        // of 10^6 bytes through L2
    double cluster = 0;           // for the blocks of a cluster to meet
    double per_gathered = 0;      // MiB of sums that the blocks of a cluster send each other

    // Blocks are worked on in turns of as many as all SMs hold; those of the last turn have an SM to fewer of them.
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

    // SMs that clusters of so many blocks find: of more than two, an H200 ran 30 of four, 15 of eight (2026-11-23).
    static int in_clusters(int sm_count, int blocks) { return blocks > 2 ? sm_count * 10 / 11 : sm_count; }

private:
    // As if so many blocks were on an SM: its four schedulers have warps of their own, and the one with most ends last.
    static double busy(int blocks, int warps) { return warps < 4 ? (blocks * warps + 3) / 4 * 4. / warps : blocks; }
    // What two things take that go on beside each other: more than the longer one, less than one after the other.
    static double together(double a, double b) { return std::hypot(a, b); }
};

} // namespace kernels
