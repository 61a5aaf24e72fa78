#include "ptx/machine.h"

#include "ptx/cluster.h"

#include "error.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

namespace ptx {

namespace {

constexpr uint64_t slice = 20000; // instructions of a warp before another one's turn

} // namespace

Block::Block(Cluster& of, uint32_t number)
    : cluster(of), program(of.program), launch(of.launch), regions(of.regions), watch(of.watch), rank(number),
      in_cluster(of.extent.place_of(number)), check_(of.program.statements)
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
        lanes += static_cast<uint32_t>(std::popcount(warp->live()));
    return lanes;
}

bool Block::arrive(uint32_t number, uint32_t wanted, uint32_t lanes, uint32_t holds, Combine combine)
{
    Barrier& barrier = barriers_.at(number);
    barrier.arrived += lanes;
    barrier.wanted = wanted;
    barrier.count += holds;
    barrier.members += lanes;
    barrier.combine = combine;
    if (barrier.arrived < (wanted != 0 ? wanted : live()))
        return false;
    complete(number);
    return true;
}

void Block::complete(uint32_t number)
{
    Barrier& barrier = barriers_[number];
    const uint32_t result = barrier.combine == Combine::add       ? barrier.count
                            : barrier.combine == Combine::bit_and ? barrier.count == barrier.members
                                                                  : barrier.count > 0;
    const bool of_all = barrier.wanted == 0 || barrier.wanted >= live();
    const Combine combine = barrier.combine;
    barrier = {};
    if (of_all)
        check_.barrier();
    for (const auto& warp : warps_) {
        if (combine != Combine::none)
            warp->give_result(number, result);
        warp->release(number);
    }
}

void Block::lanes_left()
{
    for (uint32_t number = 0; number < barriers_.size(); ++number)
        if (barriers_[number].arrived > 0 && barriers_[number].wanted == 0 && barriers_[number].arrived >= live())
            complete(number);
    cluster.barrier_may_end();
}

void Block::mbarrier_done()
{
    for (const auto& warp : warps_)
        warp->wake();
}

void Block::meet_group(uint32_t number)
{
    if (++in_groups_.at(number) < 4)
        return;
    in_groups_[number] = 0;
    for (std::size_t warp = std::size_t{4} * number; warp < std::size_t{4} * number + 4; ++warp)
        warps_[warp]->release_group();
}

bool Block::all_at_cluster_barrier() const
{
    return std::ranges::all_of(warps_, [](const auto& warp) { return warp->all_in_cluster(); });
}

void Block::pass_cluster_barrier()
{
    check_.barrier();
    for (const auto& warp : warps_)
        warp->pass_cluster_barrier();
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
    check_.join(after.check_);
    printed += after.printed;
    local.loads += after.local.loads;
    local.stores += after.local.stores;
    local.bytes += after.local.bytes;
    between_blocks += after.between_blocks;
    tiles.insert(after.tiles.begin(), after.tiles.end()); // of one place the first map counts
}

void Block::begin(const recording::Index3& at)
{
    index = at;
    linear = launch.extent.grid.number_of(at);
    std::fill(shared.begin(), shared.end(), std::byte{0xff}); // not a number, as long as nobody writes it
    barriers_ = {};
    in_groups_ = {};
    mbarriers.begin();
    check_.begin(shared.size(), !program.race_free_by_other_means);
    for (const auto& warp : warps_)
        warp->begin();
}

Block::Turn Block::turn(uint64_t& steps, const std::stop_token& stop)
{
    Turn turn{.ran = false, .done = true};
    for (const auto& warp : warps_) {
        if (warp->ready()) {
            // One more than is allowed shows that it is more; the most there are are not added to.
            const uint64_t left = launch.most_steps - std::min(launch.most_steps, warp->steps());
            const uint64_t done = warp->run(std::min(slice - 1, left) + 1);
            steps += done;
            turn.ran = true;
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
        cluster.run(number, outcome.steps, stop);
    cluster.add_to(outcome);
    return outcome;
}

} // namespace ptx
