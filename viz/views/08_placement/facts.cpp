#include "viz/views/08_placement/facts.h"

#include "viz/analysis/access.h"
#include "viz/analysis/ownership.h"

#include <algorithm>
#include <array>

namespace viz {

namespace {

constexpr std::size_t quick_accesses = 6'000;          // largest number of accesses processed within a frame
constexpr uint64_t quick_products = uint64_t{1} << 28; // of M x N x K, to which the number of parts is proportional

using Work = std::shared_ptr<const Told<TileWork>>;

bool is_quick(const recording::Recording&, const Launch& launch)
{
    std::size_t accesses = 0;
    for (const recording::BlockTrace& block : launch->recording->blocks)
        accesses += access_count(block);
    const recording::Problem& problem = launch->recording->problem;
    return accesses <= quick_accesses && uint64_t{problem.M} * problem.N <= quick_products / std::max(1u, problem.K);
}

Work work_of_launch(const recording::Recording&, const Launch& launch)
{
    return std::make_shared<const Told<TileWork>>(tile_work(*launch->recording));
}

const PlacementPicture* picture_of(const Launch& launch)
{
    return launch->picture ? &*launch->picture : nullptr;
}

std::shared_ptr<const Told<WorkFacts>> facts_of_launch(const recording::Recording&, const Launch& launch,
                                                       const Work& work, const WorkPlaces& others)
{
    return std::make_shared<const Told<WorkFacts>>(*work ? work_facts(**work, picture_of(launch), others)
                                                         : Told<WorkFacts>(work->why));
}

} // namespace

const PlacedBlock* LaunchFacts::find(uint32_t block) const
{
    const PlacedBlocks* const all = placed();
    return all != nullptr && block < places.size() && places[block] < all->blocks.size() ? &all->blocks[places[block]]
                                                                                         : nullptr;
}

Launch launch_facts(const recording::Recording& recorded, const std::shared_ptr<const recording::Recording>& launch)
{
    auto facts = std::make_shared<LaunchFacts>();
    facts->recording = launch;
    facts->picture = placement_of(*launch);
    if (!facts->picture)
        facts->untimed = placed_blocks(*launch);
    facts->grid = block_grid(launch->launch, &recorded);
    if (facts->picture)
        facts->runner = LaunchRunner(*facts->picture);
    if (const PlacedBlocks* const placed = facts->placed())
        for (std::size_t i = 0; i < placed->blocks.size(); ++i) {
            const std::size_t block = placed->blocks[i].block;
            if (block >= facts->places.size())
                facts->places.resize(block + 1, placed->blocks.size());
            facts->places[block] = i;
        }
    return facts;
}

std::shared_ptr<const recording::Recording> launch_of(const StageColumn& column, const LadderFacts& ladder_facts,
                                                      Launches which, bool without_sms)
{
    const auto& recorded = column.recording;
    if (which == Launches::recorded)
        return recorded->placements.empty() && !without_sms ? nullptr : recorded;
    const StageFacts* rung = ladder_facts.find(recorded->stage);
    if (rung == nullptr)
        return nullptr;
    const auto& launch = which == Launches::many ? rung->launch : rung->tall;
    return launch && launch->parameters == recorded->parameters ? launch : nullptr;
}

PlacedLanes lanes_of_launch(const recording::Recording&, const Launch& launch, bool by_slot)
{
    return placed_lanes(*launch->picture, by_slot);
}

void PlacementSide::select(const recording::Index3& index)
{
    const recording::Index3& grid = recording().launch.grid;
    if (index.x < grid.x && index.y < grid.y && index.z < grid.z)
        block = linear_of(index, grid);
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

void WorkSide::show(std::shared_ptr<const Told<WorkFacts>> facts_now, uint32_t of_product)
{
    K_ = of_product;
    if (facts_now == told_)
        return;
    told_ = std::move(facts_now);
    for (auto* const raster : {&map, &tiles, &whole, &cut})
        *raster = std::make_shared<LaneRaster>();
    in_c_.clear();
    first_in_c_ = {0};
    if (facts() == nullptr)
        return;
    const WorkCase& shown = facts()->launched();
    for (uint32_t row = 0; row < shown.work.rows; ++row) {
        for (uint32_t col = 0; col < shown.work.cols; ++col) {
            const uint32_t tile = *shown.work.tile_at({row, col});
            const auto parts = shown.by_tile.parts.begin();
            in_c_.insert(in_c_.end(), parts + static_cast<std::ptrdiff_t>(shown.by_tile.first[tile]),
                         parts + static_cast<std::ptrdiff_t>(shown.by_tile.first[tile + 1]));
        }
        first_in_c_.push_back(in_c_.size());
    }
    in_lanes_.assign(shown.work.parts.size(), {});
    for (std::size_t lane = 0; lane < shown.lanes.lanes.size(); ++lane)
        for (std::size_t i = 0; i < shown.lanes.lanes[lane].size(); ++i)
            in_lanes_[shown.lanes.lanes[lane][i].part] = {lane, i};
}

std::optional<uint32_t> WorkSide::next_block(std::optional<uint32_t> from, int blocks, int lanes) const
{
    if (facts() == nullptr)
        return from;
    const WorkCase& shown = facts()->launched();
    const auto& all = shown.lanes.lanes;
    const auto block_of = [&](const WorkLanes::Span& span) { return shown.work.parts[span.part].block; };
    // Returns the first block of the first non-empty lane, starting with `lane`.
    const auto first_of_lane = [&](int64_t lane, int by) {
        for (; lane >= 0 && lane < std::ssize(all); lane += by)
            if (const auto& spans = all[static_cast<std::size_t>(lane)]; !spans.empty())
                return std::optional(block_of(spans.front()));
        return from;
    };
    if (!from)
        return first_of_lane(0, 1);
    const auto parts = parts_of_block(shown.work, *from);
    if (parts.empty())
        return from;
    const LanePlace now = lane_of(parts.front());
    if (lanes != 0)
        return first_of_lane(static_cast<int64_t>(now.lane) + lanes, lanes);
    const auto& spans = all[now.lane];
    for (auto next = static_cast<int64_t>(now.span) + blocks; next >= 0 && next < std::ssize(spans); next += blocks)
        if (const uint32_t block = block_of(spans[static_cast<std::size_t>(next)]); block != *from)
            return block;
    return from;
}

void show_work(std::span<const StageColumn> columns, const WorkPlaces& sms, std::span<PlacementSide> sides)
{
    std::array<Work, 2> works;
    std::array<std::optional<WorkPlaces>, 2> own;
    bool known = true;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const Launch& launch = sides[i].facts;
        const bool quick = columns[i].memo<is_quick>(launch);
        if (const Work* work = columns[i].memo_later<work_of_launch>(quick, launch))
            works[i] = *work;
        known = known && works[i];
        if (works[i] && *works[i])
            own[i] = own_places(**works[i], picture_of(launch));
    }
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const Launch& launch = sides[i].facts;
        const std::shared_ptr<const Told<WorkFacts>>* facts = nullptr;
        if (known)
            facts = columns[i].memo_later<facts_of_launch>(columns[i].memo<is_quick>(launch), launch, works[i],
                                                           own[1 - i].value_or(sms));
        sides[i].work.show(facts != nullptr ? *facts : nullptr, launch->recording->problem.K);
    }
}

} // namespace viz
