#include "viz/draw/focus.h"

#include "viz/analysis/access.h"
#include "viz/analysis/comparison.h"

#include <fmt/format.h>

#include <algorithm>

namespace viz {

using recording::Recording;

namespace {

const recording::BlockTrace* block_in(const Recording& recording, const StageColumn& leading,
                                      const Selection& selection)
{
    if (recording.blocks.empty())
        return nullptr;
    if (leading.recording.get() != &recording && selection.block < leading.recording->blocks.size())
        for (const recording::BlockTrace& block : recording.blocks)
            if (block.block == leading.recording->blocks[selection.block].block)
                return &block;
    return &recording.blocks[std::min(selection.block, recording.blocks.size() - 1)];
}

} // namespace

Focus focus_on(const StageColumn& stage, const StageColumn& leading, const Selection& selection)
{
    Focus focus;
    focus.recording = stage.recording.get();
    focus.block = block_in(*focus.recording, leading, selection);
    if (!focus.block || focus.block->warps.empty()) {
        focus.block = nullptr;
        focus.why = "No block of this launch was recorded in full; record it again and choose a block.";
        return focus;
    }
    focus.warp_index = std::min<uint32_t>(selection.warp, static_cast<uint32_t>(focus.block->warps.size()) - 1);
    const recording::WarpTrace& warp = focus.block->warps[focus.warp_index];
    if (warp.accesses.empty()) {
        focus.why =
            fmt::format("Warp {} of block {} returned before its first access: none of its threads has an element to "
                        "compute. Choose another warp.",
                        focus.warp_index, block_name(*focus.recording, *focus.block));
        return focus;
    }
    focus.warp = &warp;
    const std::size_t step = selection.step_of(stage.number);
    focus.past_end = step >= warp.accesses.size();
    focus.step = std::min(step, warp.accesses.size() - 1);
    return focus;
}

void select_block(const ViewScene& scene, uint32_t block)
{
    const Recording& recording = *scene.columns.front().recording;
    if (const auto recorded = recorded_block(recording, block))
        scene.selection.block = *recorded;
    else
        scene.requests.block = index_of(block, recording.launch.grid);
}

void select_element(const ViewScene& scene, const Cell& element, const std::optional<Owner>& owner)
{
    scene.selection.c = {element.row, element.col};
    if (!owner)
        return;
    scene.selection.warp = owner->warp;
    scene.selection.lane = owner->lane;
    select_block(scene, owner->block);
}

std::optional<std::size_t> step_shown(const ViewScene& scene, const StageColumn& stage, const Focus& focus,
                                      NearestStep nearest)
{
    const std::optional<std::size_t> own = nearest(*focus.warp, focus.step);
    if (stage.number == 0 || scene.selection.has_own_step(stage.number))
        return own;
    const Focus leading = focus_on(scene, scene.columns.front());
    const auto step = leading.warp ? nearest(*leading.warp, leading.step) : std::nullopt;
    if (!step)
        return own;
    const auto like =
        nearest_like({*leading.recording, *leading.warp}, *step, {*focus.recording, *focus.warp}, focus.step);
    return like ? like : own;
}

std::string access_name(const Recording& recording, const recording::Access& access)
{
    if (!recording::has_addresses(access))
        return std::string(recording::name(access.op));
    const std::string name = access.array < recording.arrays.size() ? recording.arrays[access.array].name : "?";
    return name + (is_atomic(access.op) ? " atomic" : is_store(access.op) ? " store" : " load");
}

std::string block_name(const Recording& recording, const recording::BlockTrace& block)
{
    if (recording.launch.grid.z > 1)
        return fmt::format("({},{},{})", block.block.x, block.block.y, block.block.z);
    return fmt::format("({},{})", block.block.x, block.block.y);
}

} // namespace viz
