#include "viz/views/20_threads/thread_side.h"

#include "viz/analysis/added_up.h"
#include "viz/analysis/hierarchy.h"
#include "viz/analysis/tiling.h"

#include <utility>

namespace viz {

using recording::Recording;

namespace {

// "2 x 32" where the cells fill that rectangle, else "128 elements".
Message extent_of(const std::vector<Cell>& cells)
{
    const CellRect all = *bounds(cells);
    if (uint64_t{all.rows} * all.cols == cells.size())
        return {"threads.rectangle", {{"extent", extent_text(all)}}};
    return {"threads.elements", {{"elements", cells.size()}}};
}

} // namespace

void ThreadSide::update(const std::shared_ptr<const Recording>& wanted, uint32_t wanted_block)
{
    if (wanted == recording && wanted_block == block)
        return;
    if (wanted != recording)
        passed_on = !wanted->blocks.empty() && sums_pass_through_shared(*wanted, wanted->blocks.front());
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
    const auto places_of = [&](uint32_t first, uint32_t end) {
        std::vector<Cell> places = cells_of_threads(owned, first, end);
        for (Cell& cell : places)
            cell = map_place(map.shape(), cell);
        return cover(std::move(places));
    };
    const uint32_t warp = thread - thread % recording::warp_size;
    marks.block = places_of(0, recording->launch.threads_per_block());
    marks.warp = places_of(warp, warp + recording::warp_size);
    marks.thread = places_of(thread, thread + 1);
}

Message colour_message(ColourBy by)
{
    switch (by) {
    case ColourBy::block: return {"threads.by_block"};
    case ColourBy::warp: return {"threads.by_warp"};
    case ColourBy::lane: return {"threads.by_lane"};
    case ColourBy::sm: break;
    }
    return {"threads.by_sm"};
}

Messages thread_messages(const ThreadSide& side, ColourBy by)
{
    const Recording& recording = *side.recording;
    const Cell extent = extent_of_c(recording);
    Messages messages{
        {"threads.launch",
         {{"blocks", recording.launch.grid.volume()},
          {"threads", recording.launch.threads_per_block()},
          {"output", recording.arrays[2].name},
          {"extent", extent.row == 1 ? Value(extent.col) : extent_text({0, 0, extent.row, extent.col})}}}};
    if (const uint64_t idle = side.map.idle_threads().value_or(0); idle > 0)
        messages.push_back({"threads.idle", {{"threads", Value(idle).as(Meaning::conflict)}}});
    messages.push_back(colour_message(by));
    if (side.passed_on)
        messages.push_back({"threads.passed_on"});
    return messages;
}

Messages outlined(const ThreadSide& side)
{
    const recording::Launch& launch = side.recording->launch;
    const uint32_t thread = side.marked_thread.value_or(0), first = thread - thread % recording::warp_size;
    const std::vector<Cell> block = cells_of_threads(side.owned, 0, launch.threads_per_block()),
                            warp = cells_of_threads(side.owned, first, first + recording::warp_size);
    Messages messages;
    if (!block.empty())
        messages.push_back({"threads.block",
                            {{"block", index_text(index_of(side.block, launch.grid), launch.grid)},
                             {"output", side.recording->arrays[2].name},
                             {"extent", extent_of(block)}}});
    if (!warp.empty())
        messages.push_back({"threads.warp", {{"warp", first / recording::warp_size}, {"extent", extent_of(warp)}}});
    messages.push_back(
        {"threads.thread",
         {{"thread", index(thread)}, {"elements", cells_of_threads(side.owned, thread, thread + 1).size()}}});
    return messages;
}

Message headline(const ThreadSide& side)
{
    const recording::Launch& launch = side.recording->launch;
    const uint64_t idle = side.map.idle_threads().value_or(0), all = launch.grid.volume() * launch.threads_per_block();
    if (idle > 0)
        return {"threads.head_idle", {{"threads", all}, {"idle", Value(idle).as(Meaning::strong)}}};
    return {side.passed_on ? "threads.head_stored" : "threads.head",
            {{"threads", all},
             {"results", Value(rounded(static_cast<double>(side.recording->owner.size()) /
                                       static_cast<double>(std::max<uint64_t>(1, all))))
                             .as(Meaning::strong)}}};
}

Messages sum_messages(const Recording& recording, Cell element)
{
    const uint32_t terms = recording.problem.K;
    return {{"threads.sum",
             {{"element", element_name(recording.arrays[2].name, {element})},
              {"row", element.row},
              {"col", element.col},
              {"terms", terms},
              {"first_a", element_name("A", {{element.row, 0}})},
              {"first_b", element_name("B", {{0, element.col}})},
              {"last_a", element_name("A", {{element.row, terms - 1}})},
              {"last_b", element_name("B", {{terms - 1, element.col}})}}}};
}

} // namespace viz
