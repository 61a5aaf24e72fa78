#include "viz/analysis/placement.h"

#include "viz/analysis/ownership.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace viz {

using recording::Placement;
using recording::Recording;

namespace {

constexpr uint32_t most_sms = 4096; // ten times as many as any GPU has; a damaged recording may name any SM

std::vector<PlacedBlock> sorted_blocks(const Recording& recording)
{
    const std::vector<Placement>& placements = recording.placements;
    std::vector<PlacedBlock> blocks;
    blocks.reserve(placements.size());
    for (uint32_t i = 0; i < placements.size(); ++i)
        blocks.push_back({i, placements[i].sm, 0, 0, placements[i].start_ns, placements[i].end_ns});
    for (const recording::BlockTrace& trace : recording.blocks)
        blocks[linear_of(trace.block, recording.launch.grid)].in_full = true;
    std::ranges::sort(blocks, [](const PlacedBlock& a, const PlacedBlock& b) {
        if (a.sm != b.sm)
            return a.sm < b.sm;
        return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.block < b.block;
    });
    return blocks;
}

// Assigns slots and waves to the blocks of one SM. Returns the time before `span` in which the SM had no block.
uint64_t place_on_sm(std::span<PlacedBlock> blocks, uint64_t span, PlacementPicture& picture)
{
    struct Slot {
        uint64_t free_from = 0;
        uint32_t blocks = 0;
    };
    std::vector<Slot> slots;
    uint64_t busy_until = 0, idle = 0;
    for (PlacedBlock& block : blocks) {
        auto slot = std::ranges::find_if(slots, [&](const Slot& one) { return one.free_from <= block.start_ns; });
        if (slot == slots.end())
            slot = slots.insert(slots.end(), Slot{});
        block.slot = static_cast<uint32_t>(slot - slots.begin());
        block.wave = slot->blocks++;
        slot->free_from = block.end_ns;
        picture.waves = std::max(picture.waves, block.wave + 1);
        if (block.start_ns > busy_until)
            idle += block.start_ns - busy_until;
        busy_until = std::max(busy_until, block.end_ns);
    }
    picture.slots = std::max(picture.slots, static_cast<uint32_t>(slots.size()));
    return idle + (span > busy_until ? span - busy_until : 0);
}

std::vector<ResidentStep> resident_steps(const std::vector<PlacedBlock>& blocks)
{
    std::vector<std::pair<uint64_t, int>> changes;
    for (const PlacedBlock& block : blocks) {
        changes.emplace_back(block.start_ns, 1);
        changes.emplace_back(block.end_ns, -1);
    }
    std::ranges::sort(changes); // at equal times, ends come first
    std::vector<ResidentStep> steps;
    uint32_t now = 0;
    for (const auto& [ns, change] : changes) {
        now += static_cast<uint32_t>(change);
        if (!steps.empty() && steps.back().ns == ns)
            steps.back().blocks = now;
        else
            steps.push_back({ns, now});
    }
    return steps;
}

void take_durations(PlacementPicture& picture)
{
    std::vector<uint64_t> durations;
    picture.in_full = static_cast<uint32_t>(std::ranges::count(picture.blocks, true, &PlacedBlock::in_full));
    for (const PlacedBlock& block : picture.blocks)
        durations.push_back(block.duration());
    std::ranges::sort(durations);
    picture.shortest_ns = durations.front();
    picture.median_ns = durations[durations.size() / 2];
    picture.longest_ns = durations.back();
}

// Returns the length of the tail: all blocks have started, and some SM has no block left.
uint64_t tail_of(const PlacementPicture& picture)
{
    uint64_t last_start = 0, first_empty = picture.span_ns;
    std::vector<uint64_t> busy_until(picture.sms, 0);
    for (const PlacedBlock& block : picture.blocks) {
        last_start = std::max(last_start, block.start_ns);
        busy_until[block.sm] = std::max(busy_until[block.sm], block.end_ns);
    }
    for (const uint64_t end : busy_until)
        if (end > 0) // the SM had at least one block
            first_empty = std::min(first_empty, end);
    return picture.span_ns - std::max(last_start, first_empty);
}

} // namespace

double PlacementPicture::last_fill() const
{
    const double all = fills(), part = all - std::floor(all);
    return blocks.empty() ? 0 : part == 0 ? 1 : part;
}

std::optional<PlacedBlocks> placed_blocks(const Recording& recording)
{
    const auto possible = [](const Placement& placement) { return placement.sm < most_sms; };
    if (recording.placements.empty() || recording.device.sm_count > most_sms ||
        !std::ranges::all_of(recording.placements, possible))
        return {};
    PlacedBlocks placed{.blocks = sorted_blocks(recording)};
    placed.sms = std::max(recording.device.sm_count, placed.blocks.back().sm + 1);
    placed.first.assign(placed.sms + 1, 0);
    for (const PlacedBlock& block : placed.blocks)
        ++placed.first[block.sm + 1];
    for (uint32_t sm = 0; sm < placed.sms; ++sm) {
        placed.sms_used += placed.first[sm + 1] > 0;
        placed.first[sm + 1] += placed.first[sm];
    }
    return placed;
}

std::optional<PlacementPicture> placement_of(const Recording& recording)
{
    std::optional<PlacedBlocks> placed = placed_blocks(recording);
    if (!placed || recording::why_untimed(recording))
        return {};
    PlacementPicture picture{std::move(*placed)};
    picture.warps_per_block = recording.launch.warps_per_block();
    for (const PlacedBlock& block : picture.blocks)
        picture.span_ns = std::max(picture.span_ns, block.end_ns);
    uint64_t idle = 0;
    for (uint32_t sm = 0; sm < picture.sms; ++sm)
        idle +=
            place_on_sm(std::span(picture.blocks).subspan(picture.first[sm], picture.first[sm + 1] - picture.first[sm]),
                        picture.span_ns, picture);
    if (picture.span_ns > 0)
        picture.idle_share = static_cast<double>(idle) / (static_cast<double>(picture.span_ns) * picture.sms);
    picture.resident = resident_steps(picture.blocks);
    take_durations(picture);
    picture.tail_ns = tail_of(picture);
    return picture;
}

const PlacedBlock* block_at(const PlacementPicture& picture, uint32_t sm, uint64_t ns, std::optional<uint32_t> slot)
{
    if (sm >= picture.sms)
        return nullptr;
    const PlacedBlock* latest = nullptr;
    for (std::size_t i = picture.first[sm]; i < picture.first[sm + 1]; ++i) {
        const PlacedBlock& block = picture.blocks[i];
        if (block.start_ns <= ns && ns < std::max(block.end_ns, block.start_ns + 1) && (!slot || block.slot == *slot))
            latest = &block;
    }
    return latest;
}

PlacedLanes placed_lanes(const PlacementPicture& picture, bool by_slot)
{
    PlacedLanes lanes{.spans = {}, .first = {0}, .rows_of_sm = by_slot ? std::max(picture.slots, 1u) : 1};
    std::vector<std::vector<PlacedLanes::Span>> rows(lanes.rows_of_sm); // rows of one SM
    for (uint32_t sm = 0; sm < picture.sms; ++sm) {
        uint64_t busy_until = 0;
        const auto add_idle = [&](uint64_t until) {
            if (until > busy_until)
                for (auto& row : rows)
                    row.push_back({busy_until, until});
        };
        for (std::size_t i = picture.first[sm]; i < picture.first[sm + 1]; ++i) {
            const PlacedBlock& block = picture.blocks[i];
            add_idle(block.start_ns);
            busy_until = std::max(busy_until, block.end_ns);
            auto& row = rows[by_slot ? block.slot : 0];
            if (!by_slot && !row.empty())
                row.back().until_ns = std::min(row.back().until_ns, block.start_ns);
            row.push_back({block.start_ns, by_slot ? block.end_ns : busy_until, i});
        }
        add_idle(picture.span_ns);
        for (auto& row : rows) {
            lanes.spans.insert(lanes.spans.end(), row.begin(), row.end());
            lanes.first.push_back(lanes.spans.size());
            row.clear();
        }
    }
    return lanes;
}

std::vector<uint32_t> idle_sms(const PlacementPicture& picture, uint64_t ns)
{
    std::vector<uint32_t> idle;
    for (uint32_t sm = 0; sm < picture.sms; ++sm)
        if (block_at(picture, sm, ns, {}) == nullptr)
            idle.push_back(sm);
    return idle;
}

LaunchRunner::LaunchRunner(const PlacementPicture& picture)
{
    for (const PlacedBlock& block : picture.blocks)
        ends_.push_back(block.end_ns);
    std::ranges::sort(ends_);
}

double LaunchRunner::done(double ns) const
{
    const auto after = std::ranges::upper_bound(ends_, ns, {}, [](uint64_t end) { return static_cast<double>(end); });
    return ratio_or_zero(static_cast<uint64_t>(after - ends_.begin()), ends_.size());
}

namespace {

// Returns the first element of C that a block owns.
std::optional<Cell> corner_in_c(const recording::Recording& recording, const recording::Index3& block)
{
    const std::vector<OwnedCell> cells = cells_of_block(recording, linear_of(block, recording.launch.grid));
    return cells.empty() ? std::nullopt : std::optional(cells.front().cell);
}

// Returns whether x runs down C, or nothing if no recorded neighbours show it.
std::optional<bool> turned_in_c(const recording::Recording& recording)
{
    const recording::Index3& grid = recording.launch.grid;
    const auto first = recording.owner.empty() ? std::nullopt : corner_in_c(recording, {0, 0, 0});
    if (!first)
        return {};
    for (const bool along_x : {true, false}) {
        if ((along_x ? grid.x : grid.y) < 2)
            continue;
        const auto next = corner_in_c(recording, along_x ? recording::Index3{1, 0, 0} : recording::Index3{0, 1, 0});
        if (next && (next->row > first->row) != (next->col > first->col))
            return (next->row > first->row) == along_x;
    }
    return {};
}

} // namespace

BlockGrid block_grid(const recording::Launch& launch, const recording::Recording* owners)
{
    BlockGrid result;
    result.grid = launch.grid;
    result.parts = launch.grid.z;
    const std::optional<bool> turned = owners != nullptr ? turned_in_c(*owners) : std::nullopt;
    if (launch.grid.y == 1) {
        const double count = launch.grid.x;
        result.cols = std::max(1u, static_cast<uint32_t>(std::ceil(std::sqrt(count))));
        result.rows = (launch.grid.x + result.cols - 1) / result.cols;
        return result;
    }
    result.as_in_c = turned.has_value();
    result.turned = turned.value_or(false);
    result.rows = result.turned ? launch.grid.x : launch.grid.y;
    result.cols = result.turned ? launch.grid.y : launch.grid.x;
    return result;
}

Cell BlockGrid::place(uint32_t block) const
{
    const recording::Index3 index = index_of(block, grid);
    if (grid.y == 1)
        return {index.x / cols, index.x % cols};
    return turned ? Cell{index.x, index.y} : Cell{index.y, index.x};
}

std::optional<uint32_t> BlockGrid::block_at(Cell place, uint32_t part) const
{
    recording::Index3 index{turned ? place.row : place.col, turned ? place.col : place.row, part};
    if (grid.y == 1)
        index = {place.row * cols + place.col, 0, part};
    if (index.x >= grid.x || index.y >= grid.y || index.z >= grid.z)
        return {};
    return linear_of(index, grid);
}

BlockState state_at(const PlacedBlock& block, double ns)
{
    if (ns < static_cast<double>(block.start_ns))
        return BlockState::waiting;
    return ns < static_cast<double>(block.end_ns) ? BlockState::running : BlockState::done;
}

} // namespace viz
