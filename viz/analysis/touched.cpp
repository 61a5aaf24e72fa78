#include "viz/analysis/touched.h"

#include <algorithm>

namespace viz {

using recording::Access;
using recording::Op;
using recording::Recording;

namespace {

bool same_kinds(const std::vector<Phase>& a, const std::vector<Phase>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Phase& x, const Phase& y) { return x.kind == y.kind && x.count == y.count; });
}

// The block's barriers before a phase.
std::ptrdiff_t barriers_before(const std::vector<Phase>& phases, std::size_t phase)
{
    return std::count_if(phases.begin(), phases.begin() + static_cast<std::ptrdiff_t>(phase),
                         [](const Phase& p) { return p.kind == PhaseKind::barrier; });
}

// The phases of a warp that happen in the given one of another.
std::vector<Phase> matching(const std::vector<Phase>& own, const std::vector<Phase>& of, std::size_t phase)
{
    if (same_kinds(own, of))
        return {own[phase]};
    const std::ptrdiff_t barriers = barriers_before(of, phase);
    std::vector<Phase> result;
    for (std::size_t i = 0; i < own.size(); ++i)
        if (own[i].kind == of[phase].kind && barriers_before(own, i) == barriers)
            result.push_back(own[i]);
    return result;
}

class Gatherer {
public:
    explicit Gatherer(const Recording& recording_)
        : recording(recording_), elements(elements_of(recording_)), read(elements.size()), written(elements.size())
    {
        result.arrays.resize(elements.size());
    }

    void add(const recording::WarpTrace& warp, const Phase& phase)
    {
        const std::vector<BulkCopy> bulk = bulk_copies(recording, warp);
        for (std::size_t step = phase.first; step < phase.first + phase.count; ++step) {
            const Access& access = warp.accesses[step];
            if (!has_addresses(access) || access.array >= elements.size())
                continue;
            const auto cells = cells_of_step(recording, warp, step, elements[access.array], bulk);
            auto& list = is_store(access.op) ? written[access.array] : read[access.array];
            list.insert(list.end(), cells.begin(), cells.end());
            if ((is_global(access.op) || access.op == Op::bulk_load) && !is_store(access.op))
                result.global_bytes_loaded += cells.size() * recording.arrays[access.array].element_bytes;
        }
    }

    PhaseTouch take()
    {
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
        return std::move(result);
    }

private:
    const Recording& recording;
    std::vector<Elements> elements;
    std::vector<std::vector<Cell>> read, written;
    PhaseTouch result;
};

} // namespace

PhaseTouch touched(const Recording& recording, const recording::BlockTrace& block, std::size_t phase, std::size_t warp)
{
    Gatherer gatherer(recording);
    const std::vector<Phase> of = phases(recording, block.warps[warp]);
    for (const recording::WarpTrace& trace : block.warps)
        if (phase < of.size())
            for (const Phase& part : matching(phases(recording, trace), of, phase))
                gatherer.add(trace, part);
    return gatherer.take();
}

SharedContents::SharedContents(const Recording& recording_, const recording::BlockTrace& block_)
    : recording(recording_), block(block_), elements(elements_of(recording_)), order_(block_)
{
    for (const recording::WarpTrace& warp : block.warps)
        bulk.push_back(bulk_copies(recording, warp));
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

void SharedContents::copy_box(std::size_t warp, std::size_t step)
{
    const auto copy =
        std::find_if(bulk[warp].begin(), bulk[warp].end(), [step](const BulkCopy& one) { return one.step == step; });
    if (copy == bulk[warp].end())
        return;
    const recording::Array &from = recording.arrays[copy->from], &to = recording.arrays[copy->to];
    for (uint32_t row = 0; row < copy->target.rows; ++row)
        for (uint32_t col = 0; col < copy->target.cols; ++col) {
            const Cell source{copy->source.row + row, copy->source.col + col};
            const Cell target{copy->target.row + row, copy->target.col + col};
            if (target.row >= to.rows || target.col >= to.cols)
                continue;
            const bool inside = source.row < from.rows && source.col < from.cols;
            tiles[copy->to][std::size_t{target.row} * to.cols + target.col] = {
                inside ? Origin::Kind::element : Origin::Kind::outside, copy->from, inside ? source : Cell{}, done};
        }
}

void SharedContents::take(const Access& access, std::size_t warp, std::size_t step)
{
    if (access.array >= recording.arrays.size())
        return;
    if (access.op == Op::global_load || access.op == Op::async_load)
        load(access, warp);
    else if (access.op == Op::shared_store || access.op == Op::async_store)
        store(access, warp);
    else if (access.op == Op::bulk_store)
        copy_box(warp, step);
}

void SharedContents::advance_to(std::size_t tick)
{
    const bool any_tile = std::any_of(tiles.begin(), tiles.end(), [](const auto& tile) { return !tile.empty(); });
    if (!any_tile)
        return;
    if (tick + 1 < done)
        reset();
    for (; done <= tick && done < order_.ticks(); ++done)
        for (std::size_t warp = 0; warp < block.warps.size(); ++warp)
            if (const auto step = order_.step_at(warp, done))
                take(block.warps[warp].accesses[*step], warp, *step);
}

Origin SharedContents::at(uint8_t array, Cell cell) const
{
    if (array >= tiles.size() || cell.col >= recording.arrays[array].cols || cell.row >= recording.arrays[array].rows ||
        tiles[array].empty())
        return {};
    return tiles[array][std::size_t{cell.row} * recording.arrays[array].cols + cell.col];
}

} // namespace viz
