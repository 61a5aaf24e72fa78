#include "viz/analysis/touched.h"

#include <algorithm>
#include <iterator>

namespace viz {

using recording::Access;
using recording::Op;
using recording::Recording;

namespace {

bool same_kinds(const std::vector<Phase>& a, const std::vector<Phase>& b)
{
    return std::ranges::equal(a, b,
                              [](const Phase& x, const Phase& y) { return x.kind == y.kind && x.count == y.count; });
}

// Returns the number of the block's barriers before a phase.
std::ptrdiff_t barriers_before(const std::vector<Phase>& phases, std::size_t phase)
{
    return std::count_if(phases.begin(), phases.begin() + static_cast<std::ptrdiff_t>(phase),
                         [](const Phase& p) { return p.kind == PhaseKind::barrier; });
}

// Returns the phases of a warp that match the given phase of another warp.
std::vector<Phase> matching(const std::vector<Phase>& own, const std::vector<Phase>& of, std::size_t phase)
{
    if (phase < own.size() && same_kinds(own, of))
        return {own[phase]};
    const std::ptrdiff_t barriers = barriers_before(of, phase);
    std::vector<Phase> result;
    std::ptrdiff_t passed = 0;
    for (const Phase& one : own) {
        if (one.kind == of[phase].kind && passed == barriers)
            result.push_back(one);
        passed += one.kind == PhaseKind::barrier ? 1 : 0;
    }
    return result;
}

class Gatherer {
public:
    Gatherer(const Recording& recording_, const std::vector<Elements>& elements_)
        : recording(recording_), elements(elements_), read(elements_.size()), written(elements_.size())
    {
        result.arrays.resize(elements.size());
    }

    void add(const recording::WarpTrace& warp, const std::vector<BulkCopy>& bulk, const Phase& phase)
    {
        for (std::size_t step = phase.first; step < phase.first + phase.count; ++step) {
            const Access& access = warp.accesses[step];
            if (!has_addresses(access) || access.array >= elements.size())
                continue;
            const auto cells = cells_of_step(recording, warp, step, elements[access.array], bulk);
            auto& list = is_store(access.op) ? written[access.array] : read[access.array];
            list.insert(list.end(), cells.begin(), cells.end());
            const bool global = recording.arrays[access.array].space == recording::Space::global;
            if (reads_global(access.op) || (access.op == Op::bulk_load && global))
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
    const std::vector<Elements>& elements;
    std::vector<std::vector<Cell>> read, written;
    PhaseTouch result;
};

} // namespace

PhaseTouch touched(const BlockParts& parts, std::size_t phase, std::size_t warp)
{
    Gatherer gatherer(parts.recording, parts.elements);
    const std::vector<Phase>& of = parts.phases[warp];
    for (std::size_t i = 0; phase < of.size() && i < parts.block.warps.size(); ++i)
        for (const Phase& part : matching(parts.phases[i], of, phase))
            gatherer.add(parts.block.warps[i], parts.bulk[i], part);
    return gatherer.take();
}

SharedContents::SharedContents(const Recording& recording_, const recording::BlockTrace& block_)
    : recording(recording_), block(block_), elements_(elements_of(recording_)), order_(block_, recording_.arrays),
      queues(block_.warps.size() * recording::warp_size)
{
    for (const recording::WarpTrace& warp : block.warps)
        bulk_.push_back(bulk_copies(recording, warp));
    for (const recording::Array& array : recording.arrays)
        tiles.emplace_back(array.space == recording::Space::shared ? std::size_t{array.rows} * array.cols : 0);
}

std::vector<Origin>& SharedContents::held_by(uint8_t array, Cell cell)
{
    return tiles[array][std::size_t{cell.row} * recording.arrays[array].cols + cell.col];
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
                const auto cell = elements_[access.array].at(uint64_t{access.offset[lane]} + byte);
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
            if (const auto cell = elements_[access.array].at(uint64_t{access.offset[lane]} + byte))
                held_by(access.array, *cell).push_back(value);
        }
    }
}

void SharedContents::copy_box(std::size_t warp, std::size_t step)
{
    const auto copy = std::ranges::find(bulk_[warp], step, &BulkCopy::step);
    if (copy == bulk_[warp].end() || recording.arrays[copy->to].space == recording::Space::global)
        return;
    const recording::Array &from = recording.arrays[copy->from], &to = recording.arrays[copy->to];
    for (uint32_t row = 0; row < copy->target.rows; ++row)
        for (uint32_t col = 0; col < copy->target.cols; ++col) {
            const Cell source{copy->source.row + row, copy->source.col + col};
            const Cell target{copy->target.row + row, copy->target.col + col};
            if (target.row >= to.rows || target.col >= to.cols)
                continue;
            const bool inside = source.row < from.rows && source.col < from.cols;
            held_by(copy->to, target)
                .push_back({inside ? Origin::Kind::element : Origin::Kind::outside, copy->from,
                            inside ? source : Cell{}, done});
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
    if (std::ranges::all_of(tiles, [](const auto& tile) { return tile.empty(); }))
        return;
    now = tick;
    for (; done <= tick && done < order_.ticks(); ++done)
        for (std::size_t warp = 0; warp < block.warps.size(); ++warp)
            if (const auto step = order_.step_at(warp, done))
                take(block.warps[warp].accesses[*step], warp, *step);
}

Origin SharedContents::at(uint8_t array, Cell cell) const
{
    if (!now || array >= tiles.size() || cell.col >= recording.arrays[array].cols ||
        cell.row >= recording.arrays[array].rows || tiles[array].empty())
        return {};
    const std::vector<Origin>& held = tiles[array][std::size_t{cell.row} * recording.arrays[array].cols + cell.col];
    const auto after = std::ranges::upper_bound(held, *now, {}, &Origin::stored);
    return after == held.begin() ? Origin{} : *std::prev(after);
}

} // namespace viz
