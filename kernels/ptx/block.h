// Blocks while they run, with their shared memory, barriers and warps; and clusters of blocks that run together, meet
// at their cluster's barrier and reach each other's shared memory. A launch without clusters has clusters of one block.
#pragma once

#include "ptx/machine.h"
#include "ptx/mbarrier.h"
#include "ptx/races.h"
#include "ptx/tensor_map.h"
#include "ptx/warp.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ptx {

class Cluster;

class Block {
public:
    Block(Cluster& cluster, uint32_t rank);

    struct Turn {
        bool ran = false, done = false; // some warp went on; all threads have ended
    };
    void begin(const recording::Index3& index);
    Turn turn(uint64_t& steps, const std::stop_token& stop); // of each of its warps
    bool finished() const { return live() == 0; }
    void join(const Block& after); // what was noted of blocks that come after
    std::string waiting() const;   // what its warps wait for, for a sentence

    // Lanes arrive at a barrier, which `holds` of them have a true predicate at. When it is complete all go on.
    struct Arrival {
        uint32_t wanted = 0; // threads; 0: all of the block that have not ended
        uint32_t lanes = 0, holds = 0;
        Combine combine = Combine::none;
    };
    void arrive(uint32_t barrier, const Arrival& arrival);
    void lanes_left(); // barriers may be complete now
    void release(Warp::State state);
    void meet_group(uint32_t number); // a warp of that warpgroup waits for the others
    bool all_at_cluster_barrier() const;
    void pass_cluster_barrier();

    Cluster& cluster;
    const Program& program;
    const MachineLaunch& launch;
    std::vector<Region>& regions;
    const Watch& watch;
    const uint32_t rank;                // in its cluster
    const recording::Index3 in_cluster; // likewise, from 0
    std::vector<std::byte> shared;
    recording::Index3 index{0, 0, 0};
    uint64_t linear = 0, clock = 0;
    std::string printed; // by printf
    LocalTraffic local;
    uint64_t between_blocks = 0; // see Outcome
    Mbarriers mbarriers;
    std::map<uint64_t, TensorMap> tiles; // that tensor maps fill, by their place in shared memory
    SharedCheck check;

private:
    struct Barrier {
        uint32_t arrived = 0, wanted = 0;
        uint32_t count = 0; // of threads for which it holds
        Combine combine = Combine::none;
    };
    uint32_t live() const;
    void complete(uint32_t number);
    std::array<Barrier, 16> barriers_;
    std::array<uint32_t, 8> in_groups_{}; // warps that wait, of each warpgroup
    std::vector<std::unique_ptr<Warp>> warps_;
};

class Cluster {
public:
    Cluster(const Program& program, const MachineLaunch& launch, std::vector<Region>& regions, const Watch& watch);

    uint64_t count() const { return launch.extent.grid.volume() / extent.volume(); } // of the launch
    void run(uint64_t index, uint64_t& steps, const std::stop_token& stop);
    void join(const Cluster& after);     // what was noted of clusters that come after
    void add_to(Outcome& outcome) const; // what was noted while all ran

    Block* block(uint64_t rank) const { return rank < blocks_.size() ? blocks_[rank].get() : nullptr; }
    void barrier_may_end(); // threads have arrived at the cluster's barrier, or ended
    void wake();            // an mbarrier of one of the blocks has ended a phase

    const Program& program;
    const MachineLaunch& launch;
    std::vector<Region>& regions;
    const Watch& watch;
    const bool asked_for; // of one block, but asked for
    const recording::Index3 extent;
    bool arrived = false; // threads wait for the others at its barrier
    GlobalCheck global_check;
    GlobalUse* use = nullptr; // where blocks run on several cores: what those of one use

private:
    Cluster(const Program& program, const MachineLaunch& launch, std::vector<Region>& regions, const Watch& watch,
            const std::optional<recording::Index3>& asked);
    [[noreturn]] void stuck() const;

    std::vector<std::unique_ptr<Block>> blocks_;
};

} // namespace ptx
