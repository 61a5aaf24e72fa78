#include "viz/views/20_threads/thread_side.h"

#include "viz/analysis/added_up.h"
#include "viz/analysis/hierarchy.h"
#include "viz/analysis/tiling.h"
#include "viz/draw/focus.h"

#include <algorithm>
#include <memory>
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

uint64_t count_idle(const Recording& recording)
{
    uint64_t idle = recording.launch.grid.volume() * recording.launch.threads_per_block();
    for (const auto& [block, owns] : owners_by_block(recording))
        idle -= static_cast<uint64_t>(std::ranges::count(owns, true));
    return idle;
}

bool passes_on(const Recording& recording)
{
    return !recording.blocks.empty() && sums_pass_through_shared(recording, recording.blocks.front());
}

// What is marked of it keeps it: no address stands for another block's.
using Owned = std::shared_ptr<const std::vector<OwnedCell>>;

Owned owned_by(const Recording& recording, uint32_t block)
{
    return std::make_shared<std::vector<OwnedCell>>(cells_of_block(recording, block));
}

MapMarks marks_of(const Recording& recording, const Owned& owned, uint32_t thread, const std::optional<Cell>& element)
{
    const MapShape shape = map_shape(recording);
    const auto places_of = [&](uint32_t first, uint32_t end) {
        std::vector<Cell> places = cells_of_threads(*owned, first, end);
        for (Cell& cell : places)
            cell = map_place(shape, cell);
        return cover(std::move(places));
    };
    const uint32_t warp = thread - thread % recording::warp_size;
    return {.block = places_of(0, recording.launch.threads_per_block()),
            .warp = places_of(warp, warp + recording::warp_size),
            .thread = places_of(thread, thread + 1),
            .element = element ? std::optional(map_place(shape, *element)) : std::nullopt};
}

} // namespace

ThreadSide thread_side(const ViewFrame& frame, const StageColumn& column, ThreadMap& map)
{
    const Recording& recording = *column.recording;
    const Focus focus = focus_on(frame, column);
    const auto& c = frame.selection.c;
    const auto owner = c ? owner_of(recording, c->first, c->second) : std::nullopt;
    const uint32_t block =
        owner ? owner->block : (focus.block ? linear_of(focus.block->block, recording.launch.grid) : 0);
    const uint32_t thread = owner ? owner->thread : frame.selection.warp * recording::warp_size + frame.selection.lane;
    const Owned& owned = column.memo<owned_by>(block);
    const auto first = std::ranges::find(*owned, thread, &OwnedCell::thread);
    const std::optional<Cell> element = owner                   ? std::optional(Cell{c->first, c->second})
                                        : first != owned->end() ? std::optional(first->cell)
                                                                : std::nullopt;
    const uint64_t* idle = column.memo_later<count_idle>(recording.owner.size() <= elements_in_frame);
    return {.recording = recording,
            .map = map,
            .block = block,
            .thread = thread,
            .owned = *owned,
            .element = element,
            .marks = column.memo<marks_of>(owned, thread, element),
            .passed_on = column.memo<passes_on>(),
            .idle = idle != nullptr ? std::optional(*idle) : std::nullopt};
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
    const Recording& recording = side.recording;
    const Cell extent = extent_of_c(recording);
    Messages messages{
        {"threads.launch",
         {{"blocks", recording.launch.grid.volume()},
          {"threads", recording.launch.threads_per_block()},
          {"output", recording.arrays[2].name},
          {"extent", extent.row == 1 ? Value(extent.col) : extent_text({0, 0, extent.row, extent.col})}}}};
    if (const uint64_t idle = side.idle.value_or(0); idle > 0)
        messages.push_back({"threads.idle", {{"threads", Value(idle).as(Meaning::conflict)}}});
    messages.push_back(colour_message(by));
    if (side.passed_on)
        messages.push_back({"threads.passed_on"});
    return messages;
}

Messages outlined(const ThreadSide& side)
{
    const recording::Launch& launch = side.recording.launch;
    const uint32_t thread = side.thread, first = thread - thread % recording::warp_size;
    const std::vector<Cell> block = cells_of_threads(side.owned, 0, launch.threads_per_block()),
                            warp = cells_of_threads(side.owned, first, first + recording::warp_size);
    Messages messages;
    if (!block.empty())
        messages.push_back({"threads.block",
                            {{"block", index_text(index_of(side.block, launch.grid), launch.grid)},
                             {"output", side.recording.arrays[2].name},
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
    const recording::Launch& launch = side.recording.launch;
    const uint64_t idle = side.idle.value_or(0), all = launch.grid.volume() * launch.threads_per_block();
    if (idle > 0)
        return {"threads.head_idle", {{"threads", all}, {"idle", Value(idle).as(Meaning::strong)}}};
    return {side.passed_on ? "threads.head_stored" : "threads.head",
            {{"threads", all},
             {"results", Value(rounded(static_cast<double>(side.recording.owner.size()) /
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
