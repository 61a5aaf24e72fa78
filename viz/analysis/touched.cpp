#include "viz/analysis/touched.h"

#include <algorithm>

namespace viz {

using recording::Access;
using recording::Op;
using recording::Recording;

PhaseTouch touched(const Recording& recording, const recording::BlockTrace& block, std::size_t phase)
{
    PhaseTouch result;
    result.arrays.resize(recording.arrays.size());
    const std::vector<Elements> elements = elements_of(recording);
    std::vector<std::vector<Cell>> read(recording.arrays.size()), written(recording.arrays.size());
    for (const recording::WarpTrace& warp : block.warps) {
        const std::vector<Phase> all = phases(recording, warp);
        if (phase >= all.size())
            continue;
        for (std::size_t step = all[phase].first; step < all[phase].first + all[phase].count; ++step) {
            const Access& access = warp.accesses[step];
            if (!has_addresses(access) || access.array >= recording.arrays.size())
                continue;
            const auto cells =
                cells_of_access(access, elements[access.array], recording.arrays[access.array].element_bytes);
            auto& list = is_store(access.op) ? written[access.array] : read[access.array];
            list.insert(list.end(), cells.begin(), cells.end());
            if (is_global(access.op) && !is_store(access.op))
                result.global_bytes_loaded += cells.size() * recording.arrays[access.array].element_bytes;
        }
    }
    for (std::size_t i = 0; i < result.arrays.size(); ++i) {
        ArrayTouch& touch = result.arrays[i];
        touch.reads = read[i].size();
        touch.writes = written[i].size();
        touch.read = cover(std::move(read[i]));
        touch.written = cover(std::move(written[i]));
        for (const CellRect& rect : touch.read)
            touch.cells_read += uint64_t{rect.rows} * rect.cols;
        for (const CellRect& rect : touch.written)
            touch.cells_written += uint64_t{rect.rows} * rect.cols;
    }
    return result;
}

SharedContents::SharedContents(const Recording& recording_, const recording::BlockTrace& block_)
    : recording(recording_), block(block_), elements(elements_of(recording_))
{
    reset();
}

void SharedContents::reset()
{
    done = 0;
    queues.assign(block.warps.size() * recording::warp_size, {});
    tiles.clear();
    for (const recording::Array& array : recording.arrays)
        tiles.emplace_back(array.space == recording::Space::shared ? std::size_t{array.rows} * array.cols : 0);
}

void SharedContents::load(const Access& access, std::size_t warp)
{
    const uint32_t bytes = std::max(1u, recording.arrays[access.array].element_bytes);
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
        Queue& queue = queues[warp * recording::warp_size + lane];
        if (queue.next == queue.values.size()) {
            queue.values.clear();
            queue.next = 0;
        }
        for (uint32_t byte = 0; byte < access.width; byte += bytes) {
            Origin origin{.kind = Origin::Kind::outside, .array = access.array, .cell = {}, .stored = 0};
            if (takes_part(access, lane)) {
                const auto cell = elements[access.array].at(uint64_t{access.offset[lane]} + byte);
                origin.kind = cell ? Origin::Kind::element : Origin::Kind::unknown;
                origin.cell = cell.value_or(Cell{});
            }
            queue.values.push_back(origin);
        }
    }
}

void SharedContents::store(const Access& access, std::size_t warp)
{
    const recording::Array& array = recording.arrays[access.array];
    const uint32_t bytes = std::max(1u, array.element_bytes);
    for (uint32_t lane = 0; lane < recording::warp_size; ++lane) {
        if (!takes_part(access, lane))
            continue;
        Queue& queue = queues[warp * recording::warp_size + lane];
        for (uint32_t byte = 0; byte < access.width; byte += bytes) {
            Origin value = queue.next < queue.values.size() ? queue.values[queue.next++] : Origin{};
            value.stored = done;
            if (const auto cell = elements[access.array].at(uint64_t{access.offset[lane]} + byte))
                tiles[access.array][std::size_t{cell->row} * array.cols + cell->col] = value;
        }
    }
}

void SharedContents::advance_to(std::size_t step)
{
    const bool any_tile = std::any_of(tiles.begin(), tiles.end(), [](const auto& tile) { return !tile.empty(); });
    if (!any_tile)
        return;
    if (step + 1 < done)
        reset();
    for (; done <= step; ++done) {
        bool any = false;
        for (std::size_t warp = 0; warp < block.warps.size(); ++warp) {
            if (done >= block.warps[warp].accesses.size())
                continue;
            any = true;
            const Access& access = block.warps[warp].accesses[done];
            if (access.array >= recording.arrays.size())
                continue;
            if (access.op == Op::global_load || access.op == Op::async_load)
                load(access, warp);
            else if (access.op == Op::shared_store || access.op == Op::async_store)
                store(access, warp);
        }
        if (!any)
            break;
    }
}

Origin SharedContents::at(uint8_t array, Cell cell) const
{
    if (array >= tiles.size() || cell.col >= recording.arrays[array].cols || cell.row >= recording.arrays[array].rows ||
        tiles[array].empty())
        return {};
    return tiles[array][std::size_t{cell.row} * recording.arrays[array].cols + cell.col];
}

} // namespace viz
