// Blocks while they run, with their shared memory, barriers and warps. The blocks of a cluster run together, meet at
// the cluster's barrier and access one another's shared memory. A launch without clusters has clusters of one block.
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
        // `ran`: some warp ran instructions. `done`: all threads have ended.
        bool ran = false, done = false;
    };
    void begin(const recording::Index3& index);
    Turn turn(uint64_t& steps, const std::stop_token& stop); // lets each of its warps run for a while
    bool finished() const { return live() == 0; }
    void join(const Block& after); // adds the notes of blocks that come after this one
    std::string waiting() const;   // says what its warps wait for, as part of a sentence

    // Lanes that arrive at a barrier. `holds` of them have a true predicate. When the barrier is complete, all of them
    // continue.
    struct Arrival {
        uint32_t wanted = 0; // number of threads; 0 means all threads of the block that have not ended
        uint32_t lanes = 0, holds = 0;
        Combine combine = Combine::none;
    };
    void arrive(uint32_t barrier, const Arrival& arrival);
    void lanes_left(); // lanes have ended, so that barriers may be complete now
    void release(Warp::State state);
    void meet_group(uint32_t number); // a warp of that warpgroup waits for the other warps of it
    bool all_at_cluster_barrier() const;
    void pass_cluster_barrier();

    Cluster& cluster;
    const Program& program;
    const MachineLaunch& launch;
    std::vector<Region>& regions;
    const Watch& watch;
    const uint32_t rank;                // number of the block in its cluster
    const recording::Index3 in_cluster; // place of the block in its cluster, from 0
    std::vector<std::byte> shared;
    recording::Index3 index{0, 0, 0};
    uint64_t linear = 0, clock = 0;
    std::string printed; // output of printf
    LocalTraffic local;
    uint64_t between_blocks = 0, textures = 0; // the same counts as in Outcome
    Mbarriers mbarriers;
    std::map<uint64_t, TensorMap> tiles; // the maps that fill tiles, by the tile's place in shared memory
    SharedCheck check;

private:
    struct Barrier {
        uint32_t arrived = 0, wanted = 0;
        uint32_t count = 0; // number of threads with a true predicate
        Combine combine = Combine::none;
    };
    uint32_t live() const;
    void complete(uint32_t number);
    std::array<Barrier, 16> barriers_;
    std::array<uint32_t, 8> in_groups_{}; // number of waiting warps, by warpgroup
    std::vector<std::unique_ptr<Warp>> warps_;
};

class Cluster {
public:
    Cluster(const Program& program, const MachineLaunch& launch, std::vector<Region>& regions, const Watch& watch);

    // Returns the number of clusters of the launch that run one after another.
    uint64_t count() const { return together ? 1 : launch.extent.grid.volume() / extent.volume(); }
    void run(uint64_t index, uint64_t& steps, const std::stop_token& stop);
    void join(const Cluster& after);     // adds the notes of clusters that come after this one
    void add_to(Outcome& outcome) const; // adds what the clusters noted while they ran

    Block* block(uint64_t rank) const { return rank < blocks_.size() ? blocks_[rank].get() : nullptr; }
    void barrier_may_end(); // is called when threads have arrived at the cluster's barrier, or have ended
    void wake();            // is called when an mbarrier of one of the blocks has completed a phase

    const Program& program;
    const MachineLaunch& launch;
    std::vector<Region>& regions;
    const Watch& watch;
    const bool asked_for; // whether the launch or the kernel asks for clusters, even of one block
    const recording::Index3 extent;
    // All blocks of a cooperative launch run together; then each is a cluster of its own. Its barrier is in the
    // workspace.
    const bool together;
    std::array<std::byte, 16> workspace{};
    uint64_t workspace_writes = 0;
    bool arrived = false; // threads wait at the cluster's barrier for the other threads
    GlobalCheck global_check;
    GlobalUse* use = nullptr; // what the blocks of this core use; null if all blocks run on one core

private:
    Cluster(const Program& program, const MachineLaunch& launch, std::vector<Region>& regions, const Watch& watch,
            const std::optional<recording::Index3>& asked);
    [[noreturn]] void stuck() const;
    bool some_run(uint64_t& steps, bool& all_done, const std::stop_token& stop);

    std::vector<std::unique_ptr<Block>> blocks_;
};

} // namespace ptx
