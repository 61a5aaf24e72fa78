#include "ptx/machine.h"

#include "error.h"
#include "machine_code/elf.h"
#include "processor.h"
#include "ptx/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <thread>
#include <utility>

namespace ptx {

namespace {

constexpr uint64_t slice = 20000; // instructions that a warp runs before the next warp's turn

constexpr uint64_t most_blocks = 16; // on an H200 with cudaFuncAttributeNonPortableClusterSizeAllowed; otherwise 8

constexpr uint64_t most_thread_bytes = uint64_t{1} << 29; // of all blocks that run together

std::string extent_words(const recording::Index3& extent)
{
    return fmt::format("{} x {} x {}", extent.x, extent.y, extent.z);
}

// Returns the size of the clusters, which the kernel (__cluster_dims__) or the launch sets. Throws kernels::Error if
// the two differ, if a cluster is larger than a GPU allows, or if the grid is not a whole number of clusters.
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

// Returns whether the blocks of the grid can wait for one another.
bool runs_together(const Program& program, const MachineLaunch& launch)
{
    return launch.cooperative.value_or(program.waits_for_grid) &&
           (program.waits_for_grid || program.synchronizes_blocks);
}

// Refuses the blocks that a GPU refuses with cudaErrorInvalidValue.
void check_bounds(const Program& program, const recording::Index3& block)
{
    if (program.most_threads && block.volume() > program.most_threads->volume())
        throw kernels::Error(fmt::format("A block of {} threads is refused: {} is compiled for at most {} "
                                         "(__launch_bounds__). Launch fewer, or change its bounds.",
                                         block.volume(), kernels::readable_name(program.kernel.c_str()),
                                         program.most_threads->volume()));
    if (program.required_threads && block != *program.required_threads)
        throw kernels::Error(fmt::format("A block of {} threads is refused: {} is compiled for blocks of {} "
                                         "(.reqntid). Launch it so.",
                                         extent_words(block), kernels::readable_name(program.kernel.c_str()),
                                         extent_words(*program.required_threads)));
}

// Refuses launches whose registers and local memory are too large. All blocks that run together are in memory at once.
void check_threads(const Program& program, const MachineLaunch& launch, uint64_t blocks, bool together)
{
    const uint64_t of_warp = program.register_bytes + recording::warp_size * program.local_bytes;
    const uint64_t bytes = of_warp * launch.extent.warps_per_block() * blocks;
    const uint64_t shared = program.dynamic_first + program.shared_bytes + launch.dynamic_shared_bytes;
    if (together && bytes + 5 * shared * blocks > most_thread_bytes)
        throw kernels::Error(fmt::format("The {} blocks of a cooperative launch run together, and their registers and "
                                         "shared memory take {} bytes; the PTX machine holds {} at most. Launch fewer "
                                         "blocks.",
                                         blocks, bytes + 5 * shared * blocks, most_thread_bytes));
    if (bytes > most_thread_bytes)
        throw kernels::Error(fmt::format("The registers and the own memory of a block's threads take {} bytes, and the "
                                         "PTX machine holds {} at most. "
                                         "Choose a smaller block, or smaller arrays in the kernel.",
                                         bytes, most_thread_bytes));
}

} // namespace

Block::Block(Cluster& of, uint32_t number)
    : cluster(of), program(of.program), launch(of.launch), regions(of.regions), watch(of.watch),
      rank(of.together ? 0 : number), in_cluster(of.extent.place_of(rank)), check(of.program.statements)
{
    const uint64_t bytes =
        launch.dynamic_shared_bytes > 0 ? program.dynamic_first + launch.dynamic_shared_bytes : program.shared_bytes;
    shared.resize(bytes);
    for (uint32_t warp = 0; warp < launch.extent.warps_per_block(); ++warp)
        warps_.push_back(std::make_unique<Warp>(*this, warp));
}

uint32_t Block::live() const
{
    uint32_t lanes = 0;
    for (const auto& warp : warps_)
        lanes += static_cast<uint32_t>(std::popcount(warp->live));
    return lanes;
}

void Block::arrive(uint32_t number, const Arrival& arrival)
{
    Barrier& barrier = barriers_.at(number);
    barrier.arrived += arrival.lanes;
    barrier.wanted = arrival.wanted;
    barrier.count += arrival.holds;
    barrier.combine = arrival.combine;
    if (barrier.arrived >= (arrival.wanted != 0 ? arrival.wanted : live()))
        complete(number);
}

void Block::complete(uint32_t number)
{
    const Barrier barrier = barriers_[number];
    const bool of_all = barrier.wanted == 0 || barrier.wanted >= live();
    barriers_[number] = {};
    if (of_all)
        check.barrier();
    std::optional<uint32_t> result;
    if (barrier.combine != Combine::none)
        result = barrier.combine == Combine::add       ? barrier.count
                 : barrier.combine == Combine::bit_and ? barrier.count == barrier.arrived
                                                       : barrier.count > 0;
    for (const auto& warp : warps_)
        warp->release(Warp::State::at_barrier, number, result);
}

void Block::lanes_left()
{
    for (uint32_t number = 0; number < barriers_.size(); ++number)
        if (barriers_[number].arrived > 0 && barriers_[number].wanted == 0 && barriers_[number].arrived >= live())
            complete(number);
    cluster.barrier_may_end();
}

void Block::release(Warp::State state)
{
    for (const auto& warp : warps_)
        warp->release(state);
}

void Block::meet_group(uint32_t number)
{
    if (++in_groups_.at(number) < 4)
        return;
    in_groups_[number] = 0;
    for (std::size_t warp = std::size_t{4} * number; warp < std::size_t{4} * number + 4; ++warp)
        warps_[warp]->release(Warp::State::at_group_wait);
}

bool Block::all_at_cluster_barrier() const
{
    return std::ranges::all_of(warps_, [](const auto& warp) { return (warp->live & ~warp->in_cluster) == 0; });
}

void Block::pass_cluster_barrier()
{
    check.barrier();
    for (const auto& warp : warps_)
        warp->may_pass |= std::exchange(warp->in_cluster, 0);
    release(Warp::State::at_cluster);
}

std::string Block::waiting() const
{
    std::string who;
    for (std::size_t i = 0; i < warps_.size(); ++i) {
        const std::string waits = warps_[i]->waiting();
        if (!waits.empty() && who.size() < 400)
            who += fmt::format("{}warp {} {}", who.empty() ? "" : "; ", i, waits);
    }
    return who;
}

void Block::join(const Block& after)
{
    check.join(after.check);
    printed += after.printed;
    local.loads += after.local.loads;
    local.stores += after.local.stores;
    local.bytes += after.local.bytes;
    between_blocks += after.between_blocks;
    textures += after.textures;
    tiles.insert(after.tiles.begin(), after.tiles.end()); // if two maps fill the same place, the first one counts
}

void Block::begin(const recording::Index3& at)
{
    index = at;
    linear = launch.extent.grid.number_of(at);
    std::fill(shared.begin(), shared.end(), std::byte{0xff}); // unwritten memory reads as NaN
    barriers_ = {};
    in_groups_ = {};
    mbarriers.begin();
    check.begin(shared.size(), !program.race_free_by_other_means);
    for (const auto& warp : warps_)
        warp->begin();
}

Block::Turn Block::turn(uint64_t& steps, const std::stop_token& stop)
{
    Turn turn{.ran = false, .done = true};
    for (const auto& warp : warps_) {
        if (warp->ready()) {
            // Runs at most one instruction too many, which shows that the limit is exceeded. most_steps + 1 could
            // overflow.
            const uint64_t left = launch.most_steps - std::min(launch.most_steps, warp->steps());
            const uint64_t done = warp->run(std::min(slice - 1, left) + 1);
            steps += done;
            turn.ran = turn.ran || !warp->waits_for_grid;
            if (stop.stop_requested())
                throw kernels::Cancelled();
            if (warp->steps() > launch.most_steps)
                throw kernels::Error(fmt::format("The kernel does not end: a warp of block ({},{},{}) has run {} "
                                                 "instructions and {}. Look for a loop that "
                                                 "nothing ends, or allow more with --steps.",
                                                 index.x, index.y, index.z, warp->steps(), warp->waiting()));
        }
        turn.done = turn.done && warp->finished();
    }
    return turn;
}

Cluster::Cluster(const Program& of, const MachineLaunch& with, std::vector<Region>& in, const Watch& by)
    : Cluster(of, with, in, by, cluster_of(of, with))
{
}

Cluster::Cluster(const Program& of, const MachineLaunch& with, std::vector<Region>& in, const Watch& by,
                 const std::optional<recording::Index3>& asked)
    : program(of), launch(with), regions(in), watch(by), asked_for(asked.has_value()),
      extent(asked.value_or(recording::Index3{1, 1, 1})), together(runs_together(of, with)), global_check(of.statements)
{
    check_bounds(program, launch.extent.block);
    if (together && extent.volume() > 1)
        throw kernels::Error(
            "A cooperative launch in clusters is not in the PTX machine; leave out the clusters, or run "
            "it on a GPU.");
    const uint64_t blocks = together ? launch.extent.grid.volume() : extent.volume();
    check_threads(program, launch, blocks, together);
    for (uint32_t rank = 0; rank < blocks; ++rank)
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
    workspace = {};
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        Block& block = *blocks_[i];
        block.begin(together
                        ? grid.place_of(i)
                        : recording::Index3{at.x * extent.x + block.in_cluster.x, at.y * extent.y + block.in_cluster.y,
                                            at.z * extent.z + block.in_cluster.z});
    }
    // Warps that wait for the grid in a loop are ready all the time. A warp that they release may wait there, too, so
    // some turns without another instruction are usual.
    constexpr int most_idle = 100;
    int idle = 0;
    for (bool all_done = false; !all_done;) {
        idle = some_run(steps, all_done, stop) ? 0 : idle + 1;
        if (idle > (together ? most_idle : 0) && !all_done)
            stuck();
    }
}

// Lets all warps run in turn. Returns whether some did more than wait for the other blocks of the grid.
bool Cluster::some_run(uint64_t& steps, bool& all_done, const std::stop_token& stop)
{
    const uint64_t before = workspace_writes;
    bool some_ran = false;
    all_done = true;
    for (const auto& block : blocks_) {
        const Block::Turn turn = block->turn(steps, stop);
        some_ran = some_ran || turn.ran;
        all_done = all_done && turn.done;
    }
    return some_ran || workspace_writes != before;
}

void Cluster::stuck() const
{
    const auto first = std::ranges::find_if(blocks_, [](const auto& block) { return !block->finished(); });
    if (together)
        throw kernels::Error(
            fmt::format("The blocks of the grid wait for one another for ever: {} of {} have ended, and of block "
                        "({},{},{}) {}. All "
                        "threads of all blocks must reach each barrier of the grid, this_grid().sync().",
                        std::ranges::count_if(blocks_, [](const auto& block) { return block->finished(); }),
                        blocks_.size(), (*first)->index.x, (*first)->index.y, (*first)->index.z, (*first)->waiting()));
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
    if (together) {
        for (const auto& block : blocks_)
            if (arrived && block->all_at_cluster_barrier())
                block->pass_cluster_barrier();
        return;
    }
    if (!arrived || !std::ranges::all_of(blocks_, [](const auto& block) { return block->all_at_cluster_barrier(); }))
        return;
    arrived = false;
    for (const auto& block : blocks_)
        block->pass_cluster_barrier();
}

void Cluster::wake()
{
    for (const auto& block : blocks_)
        block->release(Warp::State::at_mbarrier);
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
    outcome.together = together;
    outcome.warnings = global_check.notes().sentences();
    outcome.remarks = global_check.same_values();
    for (const auto& block : blocks_) {
        const RaceNotes notes = block->check.notes();
        for (const std::string& warning : notes.sentences())
            if (std::ranges::find(outcome.warnings, warning) == outcome.warnings.end())
                outcome.warnings.push_back(warning);
        for (const recording::Race& race : notes.races())
            outcome.races.push_back(race);
        outcome.printed += block->printed;
        outcome.tiles.merge(block->tiles);
        outcome.local.loads += block->local.loads;
        outcome.local.stores += block->local.stores;
        outcome.local.bytes += block->local.bytes;
        outcome.between_blocks += block->between_blocks;
        outcome.textures += block->textures;
    }
}

std::vector<Region> variable_regions(const Program& program)
{
    std::vector<Region> regions;
    for (const Variable& variable : program.variables) {
        Region region{.name = variable.name, .bytes = variable.initial, .writable = variable.space != Space::constant};
        region.bytes.resize(variable.bytes);
        for (const Variable::Address& address : variable.addresses)
            for (std::size_t i = 0; i < program.variables.size(); ++i)
                if (program.variables[i].name == address.name && address.at + 8 <= region.bytes.size()) {
                    const uint64_t value = program.variable_addresses[i] + address.added;
                    std::memcpy(region.bytes.data() + address.at, &value, sizeof value);
                }
        regions.push_back(std::move(region));
    }
    return regions;
}

uint32_t blocks_per_sm(uint32_t warps, uint32_t registers, uint64_t shared)
{
    const uint32_t of_warp = (registers * recording::warp_size + 255) / 256 * 256;
    const auto by_shared = static_cast<uint32_t>(uint64_t{228} * 1024 / (shared + 1024));
    return std::min({32u, 64 / warps, 65536 / std::max(1u, of_warp * warps), by_shared});
}

void check_launch(const Program& program, const MachineLaunch& launch)
{
    if (launch.arguments.size() < program.parameter_bytes)
        throw kernels::Error(fmt::format("The kernel has {} bytes of parameters, and {} are given.",
                                         program.parameter_bytes, launch.arguments.size()));
    if (program.dynamic_first + launch.dynamic_shared_bytes > cluster_step)
        throw kernels::Error(fmt::format("A block has {} bytes of dynamic shared memory, far more than a GPU gives it.",
                                         launch.dynamic_shared_bytes));
}

Outcome run(const Program& program, const MachineLaunch& launch, std::vector<Region>& regions, const Watch& watch,
            std::stop_token stop)
{
    check_launch(program, launch);
    Outcome outcome;
    Cluster cluster(program, launch, regions, watch);
    const uint64_t clusters = launch.only_first_block ? 1 : cluster.count();
    for (uint64_t number = 0; number < clusters; ++number)
        cluster.run(launch.last_block_first ? clusters - 1 - number : number, outcome.steps, stop);
    cluster.add_to(outcome);
    return outcome;
}

namespace {

constexpr uint64_t most_bytes = uint64_t{1} << 30;        // of all memory that cores do not share
constexpr uint64_t most_region_bytes = uint64_t{1} << 29; // a copy of the regions before the launch is kept

bool order_shows(const Program& program)
{
    return program.synchronizes_blocks || std::ranges::any_of(program.instructions, [](const Instruction& one) {
               return one.kind == Kind::clock || (one.kind == Kind::atomic && one.space != Space::shared);
           });
}

// Returns the size of one core's memory: registers and shared memory of the blocks that run together, their notes, the
// notes about global memory, and which block wrote each byte of it.
uint64_t bytes_of_core(const Program& program, const MachineLaunch& launch, uint64_t region_bytes, uint64_t blocks)
{
    const uint64_t of_warp = program.register_bytes + recording::warp_size * program.local_bytes;
    const uint64_t shared = program.dynamic_first + program.shared_bytes + launch.dynamic_shared_bytes;
    return (of_warp * launch.extent.warps_per_block() + 5 * shared) * blocks + 6 * region_bytes;
}

// Runs ranges of blocks at the same time, one on each core.
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
    // Runs the clusters of one range. An exception may be caused by the order of the blocks, so it is not passed on.
    // The caller then runs the launch in order, and reports the error.
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
    std::vector<std::unique_ptr<Cluster>> clusters_; // one for each range; it runs the clusters of that range
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
