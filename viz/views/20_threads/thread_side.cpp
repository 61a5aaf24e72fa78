#include "viz/views/20_threads/thread_side.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

namespace viz {

using recording::Recording;

namespace {

std::string extent_text(const std::optional<CellRect>& box)
{
    return box ? fmt::format("{} x {}", box->rows, box->cols) : std::string();
}

} // namespace

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

Prose thread_sentence(const Theme& theme, const ThreadSide& side, ColourBy by)
{
    const Recording& recording = *side.recording;
    Prose prose(theme);
    const uint64_t blocks = recording.launch.grid.volume();
    const Cell extent = extent_of_c(recording);
    prose.figure(counted(blocks, "block")).say(" of ").figure(counted(recording.launch.threads_per_block(), "thread"));
    prose.say(extent.row == 1 ? fmt::format(" for the {} elements of C. ", thousands(uint64_t{extent.col}))
                              : fmt::format(" for {} x {} elements of C. ", extent.row, extent.col));
    std::vector<Cell> block, warp, thread;
    const uint32_t chosen = side.marked_thread.value_or(0);
    for (const OwnedCell& cell : side.owned) {
        block.push_back(cell.cell);
        if (cell.thread / recording::warp_size == chosen / recording::warp_size)
            warp.push_back(cell.cell);
        if (cell.thread == chosen)
            thread.push_back(cell.cell);
    }
    const recording::Index3 index = index_of(side.block, recording.launch.grid);
    prose.say("Outlined: ").swatch(theme.ink).say(fmt::format("block ({},{}), ", index.x, index.y));
    prose.figure(extent_text(bounds(block)));
    if (!warp.empty())
        prose.gap()
            .swatch(theme.first)
            .say(fmt::format("its warp {}, ", chosen / recording::warp_size))
            .figure(extent_text(bounds(warp)));
    prose.gap().swatch(theme.ink).say(fmt::format("its thread {}, ", chosen));
    prose.figure(thread.empty() ? "no element" : counted(thread.size(), "element"));
    prose.say(". ");
    if (side.map.idle_threads().value_or(0) > 0)
        prose.figure(thousands(*side.map.idle_threads()), theme.warning).say(" threads of the launch own no element. ");
    switch (by) {
    case ColourBy::block: prose.say("Each colour is a block; the numbers in the cells are its threads."); break;
    case ColourBy::warp:
        prose.say("Each colour, and number, is a warp of its block: 32 threads that run together.");
        break;
    case ColourBy::lane:
        prose.say("Each colour, and number, is a lane: a thread's place in its warp. Hue: lanes 0-7, 8-15, 16-23, "
                  "24-31; darker: higher.");
        break;
    case ColourBy::sm:
        prose.say("Each colour, and number, is the SM on which the block ran; colours repeat after nine.");
        break;
    }
    return prose;
}

} // namespace viz
