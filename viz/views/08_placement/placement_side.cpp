#include "viz/views/08_placement/placement_side.h"

#include "viz/analysis/ownership.h"

#include <algorithm>
#include <cstddef>

namespace viz {

std::shared_ptr<const LaunchFacts> launch_facts(const recording::Recording& recorded,
                                                const std::shared_ptr<const recording::Recording>& launch)
{
    auto facts = std::make_shared<LaunchFacts>();
    facts->recording = launch;
    facts->picture = placement_of(*launch);
    if (!facts->picture)
        facts->untimed = placed_blocks(*launch);
    facts->grid = block_grid(launch->launch, &recorded);
    if (facts->picture)
        facts->runner = LaunchRunner(*facts->picture);
    return facts;
}

std::shared_ptr<const recording::Recording> launch_of(const StageColumn& column, const Board& board, Launches which,
                                                      bool without_sms)
{
    const auto& recorded = column.recording;
    if (which == Launches::recorded)
        return recorded->placements.empty() && !without_sms ? nullptr : recorded;
    const RungFigures* rung = board.find(recorded->stage);
    if (rung == nullptr)
        return nullptr;
    const auto& launch = which == Launches::many ? rung->launch : rung->tall;
    return launch && launch->parameters == recorded->parameters ? launch : nullptr;
}

void PlacementSide::select(const recording::Index3& index)
{
    const recording::Index3& grid = recording().launch.grid;
    if (index.x < grid.x && index.y < grid.y && index.z < grid.z)
        block = linear_of(index, grid);
}

const PlacedBlock* PlacementSide::selected() const
{
    const PlacedBlocks* placed = facts ? facts->placed() : nullptr;
    if (placed == nullptr || !block)
        return nullptr;
    const auto found = std::ranges::find(placed->blocks, *block, &PlacedBlock::block);
    return found == placed->blocks.end() ? nullptr : &*found;
}

std::optional<uint32_t> PlacementSide::next_on_sm(int by) const
{
    const PlacedBlock* const now = selected();
    if (now == nullptr)
        return {};
    const PlacedBlocks& placed = *facts->placed();
    const auto next = now - placed.blocks.data() + by;
    const bool there = next >= static_cast<std::ptrdiff_t>(placed.first[now->sm]) &&
                       next < static_cast<std::ptrdiff_t>(placed.first[now->sm + 1]);
    return there ? std::optional(placed.blocks[static_cast<std::size_t>(next)].block) : std::nullopt;
}

std::optional<uint32_t> PlacementSide::next_sm(int by) const
{
    const PlacedBlock* const now = selected();
    if (now == nullptr)
        return {};
    const PlacedBlocks& placed = *facts->placed();
    const std::size_t first = placed.first[now->sm], end = placed.first[now->sm + 1];
    if (by > 0)
        return end < placed.blocks.size() ? std::optional(placed.blocks[end].block) : std::nullopt;
    return first > 0 ? std::optional(placed.blocks[placed.first[placed.blocks[first - 1].sm]].block) : std::nullopt;
}

} // namespace viz
