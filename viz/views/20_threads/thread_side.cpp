#include "viz/views/20_threads/thread_side.h"

#include "viz/analysis/hierarchy.h"
#include "viz/analysis/tiling.h"

namespace viz {

using recording::Recording;

void ThreadSide::update(const std::shared_ptr<const Recording>& wanted, uint32_t wanted_block)
{
    if (wanted == recording && wanted_block == block)
        return;
    recording = wanted;
    block = wanted_block;
    owned = cells_of_block(*recording, block);
    marked_thread.reset();
}

void ThreadSide::mark(uint32_t thread, std::optional<Cell> element)
{
    marks.element = element ? std::optional(map_place(map.shape(), *element)) : std::nullopt;
    if (marked_thread == thread)
        return;
    marked_thread = thread;
    std::vector<Cell> of_block, of_warp, of_thread;
    for (const OwnedCell& cell : owned) {
        const Cell place = map.shape().cols ? map_place(map.shape(), cell.cell) : cell.cell;
        of_block.push_back(place);
        if (cell.thread / recording::warp_size == thread / recording::warp_size)
            of_warp.push_back(place);
        if (cell.thread == thread)
            of_thread.push_back(place);
    }
    marks.block = cover(std::move(of_block));
    marks.warp = cover(std::move(of_warp));
    marks.thread = cover(std::move(of_thread));
}

Messages thread_messages(const ThreadSide& side, ColourBy by)
{
    const Recording& recording = *side.recording;
    const Cell extent = extent_of_c(recording);
    Messages messages{
        {"threads.launch",
         {{"blocks", recording.launch.grid.volume()},
          {"threads", recording.launch.threads_per_block()},
          {"extent", extent.row == 1 ? Value(extent.col) : extent_text({0, 0, extent.row, extent.col})}}}};
    if (const uint64_t idle = side.map.idle_threads().value_or(0); idle > 0)
        messages.push_back({"threads.idle", {{"threads", Value(idle).as(Meaning::conflict)}}});
    switch (by) {
    case ColourBy::block: messages.push_back({"threads.by_block"}); break;
    case ColourBy::warp: messages.push_back({"threads.by_warp"}); break;
    case ColourBy::lane: messages.push_back({"threads.by_lane"}); break;
    case ColourBy::sm: messages.push_back({"threads.by_sm"}); break;
    }
    return messages;
}

std::vector<LegendItem> outlined(const Theme& theme, const ThreadSide& side)
{
    const recording::Launch& launch = side.recording->launch;
    const uint32_t chosen = side.marked_thread.value_or(0), chosen_warp = chosen / recording::warp_size;
    std::vector<Cell> block, warp;
    uint64_t of_thread = 0;
    for (const OwnedCell& cell : side.owned) {
        block.push_back(cell.cell);
        if (cell.thread / recording::warp_size == chosen_warp)
            warp.push_back(cell.cell);
        of_thread += cell.thread == chosen ? 1 : 0;
    }
    std::vector<LegendItem> items;
    if (const auto all = bounds(block))
        items.push_back(
            {theme.ink,
             {"threads.block",
              {{"block", index_text(index_of(side.block, launch.grid), launch.grid)}, {"extent", extent_text(*all)}}}});
    if (const auto all = bounds(warp))
        items.push_back({theme.first, {"threads.warp", {{"warp", chosen_warp}, {"extent", extent_text(*all)}}}});
    items.push_back({theme.ink, {"threads.thread", {{"thread", index(chosen)}, {"elements", of_thread}}}});
    return items;
}

} // namespace viz
