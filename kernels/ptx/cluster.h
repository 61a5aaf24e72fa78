// Blocks that run together: they meet at their cluster's barrier and reach each other's shared memory. A launch without
// clusters has clusters of one block.
#pragma once

#include "ptx/block.h"
#include "ptx/global_check.h"
#include "ptx/global_use.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ptx {

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
    bool arrived = false; // somebody waits for the others at its barrier
    GlobalCheck global_check;
    GlobalUse* use = nullptr; // where blocks run on several cores: what those of one use

private:
    Cluster(const Program& program, const MachineLaunch& launch, std::vector<Region>& regions, const Watch& watch,
            const std::optional<recording::Index3>& asked);
    [[noreturn]] void stuck() const;

    std::vector<std::unique_ptr<Block>> blocks_;
};

} // namespace ptx
