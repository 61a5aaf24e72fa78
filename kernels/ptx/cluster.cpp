#include "ptx/cluster.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptx {

namespace {

constexpr uint64_t most_blocks = 16; // on an H200, with cudaFuncAttributeNonPortableClusterSizeAllowed; else 8

constexpr uint64_t most_thread_bytes = uint64_t{1} << 29; // of blocks that run together

std::string extent_words(const recording::Index3& extent)
{
    return fmt::format("{} x {} x {}", extent.x, extent.y, extent.z);
}

// Where it is said, in the kernel (__cluster_dims__) or by whoever launches it. Throws kernels::Error where the two differ,
// where a cluster is larger than a GPU allows, or where the grid has no whole number of them.
std::optional<recording::Index3> cluster_of(const Program& program, const MachineLaunch& launch)
{
    if (program.cluster && launch.cluster && *program.cluster != *launch.cluster)
        throw kernels::Error(fmt::format(
            "The kernel has clusters of {} blocks (__cluster_dims__), and {} are asked for; leave one of them out.",
            extent_words(*program.cluster), extent_words(*launch.cluster)));
    const std::optional<recording::Index3> extent = program.cluster ? program.cluster : launch.cluster;
    if (!extent)
        return {};
    const recording::Index3& grid = launch.extent.grid;
    if (extent->volume() == 0 || extent->volume() > most_blocks)
        throw kernels::Error(fmt::format("A cluster of {} blocks is not possible: it has 1 to {}, and more than 8 need "
                                         "cudaFuncAttributeNonPortableClusterSizeAllowed.",
                                         extent_words(*extent), most_blocks));
    if (grid.x % extent->x != 0 || grid.y % extent->y != 0 || grid.z % extent->z != 0)
        throw kernels::Error(fmt::format("The grid of {} blocks is no whole number of clusters of {}.",
                                         extent_words(grid), extent_words(*extent)));
    return extent;
}

// What threads have by themselves is in memory for all blocks that run together.
void check_threads(const Program& program, const MachineLaunch& launch, uint64_t blocks)
{
    const uint64_t of_warp = program.register_bytes + recording::warp_size * program.local_bytes;
    const uint64_t bytes = of_warp * launch.extent.warps_per_block() * blocks;
    if (bytes > most_thread_bytes)
        throw kernels::Error(fmt::format("The registers and the own memory of a block's threads take {} bytes, and the "
                                         "PTX machine holds {} at most. "
                                         "Choose a smaller block, or smaller arrays in the kernel.",
                                         bytes, most_thread_bytes));
}

} // namespace

Cluster::Cluster(const Program& of, const MachineLaunch& with, std::vector<Region>& in, const Watch& by)
    : Cluster(of, with, in, by, cluster_of(of, with))
{
}

Cluster::Cluster(const Program& of, const MachineLaunch& with, std::vector<Region>& in, const Watch& by,
                 const std::optional<recording::Index3>& asked)
    : program(of), launch(with), regions(in), watch(by), asked_for(asked.has_value()),
      extent(asked.value_or(recording::Index3{1, 1, 1})), global_check(of.statements)
{
    check_threads(program, launch, extent.volume());
    for (uint32_t rank = 0; rank < extent.volume(); ++rank)
        blocks_.push_back(std::make_unique<Block>(*this, rank));
    global_check.begin(regions, count() > 1 && !launch.only_first_block && !program.synchronizes_blocks);
}

void Cluster::run(uint64_t index, uint64_t& steps, const std::stop_token& stop)
{
    global_check.begin_cluster(index);
    const recording::Index3& grid = launch.extent.grid;
    const recording::Index3 clusters{grid.x / extent.x, grid.y / extent.y, grid.z / extent.z};
    const recording::Index3 at = clusters.place_of(index);
    arrived = false;
    for (const auto& block : blocks_)
        block->begin({at.x * extent.x + block->in_cluster.x, at.y * extent.y + block->in_cluster.y,
                      at.z * extent.z + block->in_cluster.z});
    for (bool all_done = false; !all_done;) {
        bool some_ran = false;
        all_done = true;
        for (const auto& block : blocks_) {
            const Block::Turn turn = block->turn(steps, stop);
            some_ran = some_ran || turn.ran;
            all_done = all_done && turn.done;
        }
        if (!some_ran && !all_done)
            stuck();
    }
}

void Cluster::stuck() const
{
    const auto first = std::ranges::find_if(blocks_, [](const auto& block) { return !block->finished(); });
    std::string who;
    for (const auto& block : blocks_)
        if (const std::string waits = block->waiting(); !waits.empty())
            who += fmt::format("{}{}{}", who.empty() ? "" : "; ",
                               blocks_.size() > 1 ? fmt::format("of its block {}, ", block->rank) : "", waits);
    const recording::Index3& index = (*first)->index;
    throw kernels::Error(fmt::format(
        "{} ({},{},{}) cannot go on, as its threads wait for one another: {}. All threads of the block must reach the "
        "same barrier, {}all lanes of a mask the same shuffle, all warps of a warpgroup the same wait, and an mbarrier "
        "needs as many arrivals and bytes as it expects.",
        blocks_.size() > 1 ? "The cluster of block" : "Block", index.x, index.y, index.z, who,
        blocks_.size() > 1 ? "all of a cluster the cluster's, " : ""));
}

void Cluster::barrier_may_end()
{
    if (!arrived || !std::ranges::all_of(blocks_, [](const auto& block) { return block->all_at_cluster_barrier(); }))
        return;
    arrived = false;
    for (const auto& block : blocks_)
        block->pass_cluster_barrier();
}

void Cluster::wake()
{
    for (const auto& block : blocks_)
        block->mbarrier_done();
}

void Cluster::join(const Cluster& after)
{
    global_check.join(after.global_check);
    for (std::size_t rank = 0; rank < blocks_.size(); ++rank)
        blocks_[rank]->join(*after.blocks_[rank]);
}

void Cluster::add_to(Outcome& outcome) const
{
    outcome.cluster = extent;
    outcome.warnings = global_check.notes().sentences();
    for (const auto& block : blocks_) {
        for (const std::string& warning : block->warnings())
            if (std::ranges::find(outcome.warnings, warning) == outcome.warnings.end())
                outcome.warnings.push_back(warning);
        outcome.printed += block->printed;
        outcome.tiles.merge(block->tiles);
        outcome.local.loads += block->local.loads;
        outcome.local.stores += block->local.stores;
        outcome.local.bytes += block->local.bytes;
        outcome.between_blocks += block->between_blocks;
    }
}

} // namespace ptx
