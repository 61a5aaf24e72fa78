#include "ptx/cores.h"

#include "error.h"
#include "parallel.h"
#include "ptx/block.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <memory>
#include <thread>

namespace ptx {

namespace {

constexpr uint64_t most_bytes = uint64_t{1} << 30;        // of what cores have by themselves
constexpr uint64_t most_region_bytes = uint64_t{1} << 29; // which are kept as they were before the launch

bool order_shows(const Program& program)
{
    return program.synchronizes_blocks || std::ranges::any_of(program.instructions, [](const Instruction& one) {
               return one.kind == Kind::clock || (one.kind == Kind::atomic && one.space != Space::shared);
           });
}

// Of one core: registers and shared memory of the blocks that run together with what is noted of them, notes of global memory,
// and the owners of what is written there.
uint64_t bytes_of_core(const Program& program, const MachineLaunch& launch, uint64_t region_bytes, uint64_t blocks)
{
    const uint64_t of_warp = program.register_bytes + recording::warp_size * program.local_bytes;
    const uint64_t shared = program.dynamic_first + program.shared_bytes + launch.dynamic_shared_bytes;
    return (of_warp * launch.extent.warps_per_block() + 5 * shared) * blocks + 6 * region_bytes;
}

// What the ranges of blocks have in common.
class Ranges {
public:
    Ranges(const Program& program, const MachineLaunch& launch, std::vector<Region>& regions,
           std::span<const Watch> watches)
        : uses_(watches.size(), GlobalUse(regions)), steps_(watches.size())
    {
        for (std::size_t i = 0; i < watches.size(); ++i) {
            clusters_.push_back(std::make_unique<Cluster>(program, launch, regions, watches[i]));
            clusters_.back()->use = &uses_[i];
        }
    }

    std::optional<Outcome> run(const std::stop_token& stop)
    {
        const std::stop_callback cancelled(stop, [this] { ends_.request_stop(); });
        kernels::in_parallel(clusters_.size(), [this](uint64_t range) { run_range(range); });
        if (stop.stop_requested())
            throw kernels::Cancelled();
        if (ends_.stop_requested())
            return {};
        Outcome outcome;
        for (std::size_t i = 0; i < clusters_.size(); ++i) {
            outcome.steps += steps_[i];
            if (i == 0)
                continue;
            if (!uses_[0].join(uses_[i]))
                return {};
            clusters_[0]->join(*clusters_[i]);
        }
        clusters_[0]->add_to(outcome);
        return outcome;
    }

private:
    // What goes wrong may come of the order; run in order it is found again, and told.
    void run_range(std::size_t range)
    {
        Cluster& cluster = *clusters_[range];
        const uint64_t count = cluster.count(), ranges = clusters_.size();
        try {
            for (uint64_t i = count * range / ranges; i < count * (range + 1) / ranges; ++i)
                cluster.run(i, steps_[range], ends_.get_token());
        } catch (const std::exception&) {
            ends_.request_stop();
        }
    }

    std::vector<GlobalUse> uses_;
    std::vector<uint64_t> steps_;
    std::vector<std::unique_ptr<Cluster>> clusters_; // one for each range, which runs its clusters of blocks
    std::stop_source ends_;
};

} // namespace

std::size_t cores_for(const Program& program, const MachineLaunch& launch, const std::vector<Region>& regions)
{
    uint64_t region_bytes = 0;
    for (const Region& region : regions)
        region_bytes += region.bytes.size();
    if (launch.only_first_block || region_bytes > most_region_bytes || order_shows(program))
        return 1;
    const std::optional<recording::Index3> cluster = program.cluster ? program.cluster : launch.cluster;
    const uint64_t together = std::max<uint64_t>(1, cluster ? cluster->volume() : 1);
    const uint64_t bytes = bytes_of_core(program, launch, region_bytes, together);
    return std::max<uint64_t>(
        1, std::min<uint64_t>({std::thread::hardware_concurrency(), launch.extent.grid.volume() / together,
                               most_bytes / std::max<uint64_t>(1, bytes)}));
}

std::optional<Outcome> run_on_cores(const Program& program, const MachineLaunch& launch, std::vector<Region>& regions,
                                    std::span<const Watch> watches, const std::stop_token& stop)
{
    check_launch(program, launch);
    return Ranges(program, launch, regions, watches).run(stop);
}

} // namespace ptx
