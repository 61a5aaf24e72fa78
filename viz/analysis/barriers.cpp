#include "viz/analysis/barriers.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace viz {

using recording::Access;
using recording::Op;
using recording::warp_size;

namespace {

// Returns the bit of a warp. A block has 32 warps at most.
uint32_t bit(std::size_t warp)
{
    return 1u << (warp % 32);
}

// The warps that accessed each element before the barrier, as bit masks.
struct Touched {
    std::vector<std::vector<uint32_t>> readers, writers; // by array, by element

    explicit Touched(const recording::Recording& recording)
    {
        for (const recording::Array& array : recording.arrays) {
            const std::size_t count =
                array.space == recording::Space::shared ? std::size_t{array.rows} * array.cols : 0;
            readers.emplace_back(count);
            writers.emplace_back(count);
        }
    }
};

} // namespace

BlockBarriers::BlockBarriers(const recording::Recording& recording, const recording::BlockTrace& block)
    : recording_(recording), elements_(elements_of(recording))
{
    for (const recording::WarpTrace& warp : block.warps) {
        add_warp(warp);
        for (const Access& access : warp.accesses)
            if ((access.op == Op::bulk_store && is_bulk_fill(recording.arrays, access)) || reads_tile_itself(access))
                missing_ = Missing::of_whole_tiles;
    }
    count_ = steps_.empty() ? 0 : steps_.front().size();
    for (const std::vector<std::size_t>& of_warp : steps_)
        if (of_warp.size() != count_ && !missing_)
            missing_ = Missing::warps_apart;
}

BlockBarriers::Summary BlockBarriers::summary() const
{
    Summary result;
    for (std::size_t i = 0; i < count_; ++i) {
        const BarrierRaces found = races(i, 0);
        const bool reads = found.read.accesses > 0, overwrites = found.overwrite.accesses > 0;
        ++(reads && overwrites ? result.of_both
           : reads             ? result.of_reads
           : overwrites        ? result.of_overwrites
                               : result.of_nothing);
    }
    return result;
}

// An asynchronous copy may overwrite its elements from its start on. The elements are valid after its thread has waited
// for the copy.
void BlockBarriers::add_warp(const recording::WarpTrace& warp)
{
    std::vector<Interval>& intervals = intervals_.emplace_back(1);
    std::vector<std::size_t>& steps = steps_.emplace_back();
    std::vector<const Access*> started;             // copies since the last commit
    std::deque<std::vector<const Access*>> pending; // groups, oldest first
    for (std::size_t step = 0; step < warp.accesses.size(); ++step) {
        const Access& access = warp.accesses[step];
        Interval& now = intervals.back();
        if (access.op == Op::barrier) {
            steps.push_back(step);
            intervals.emplace_back();
        } else if (access.op == Op::async_commit) {
            pending.push_back(std::exchange(started, {}));
        } else if (access.op == Op::async_wait) {
            for (; pending.size() > access.width; pending.pop_front())
                for (const Access* copy : pending.front())
                    now.push_back({.access = copy, .written = true});
        } else if (in_shared(recording_.arrays, access)) {
            const bool store = is_store(access.op), async = access.op == Op::async_store;
            if (async)
                started.push_back(&access);
            now.push_back({.access = &access, .reads = !store, .written = store && !async, .writes = store});
        }
    }
}

std::optional<std::size_t> BlockBarriers::at(std::size_t warp, std::size_t step) const
{
    if (warp >= steps_.size())
        return {};
    const auto found = std::ranges::lower_bound(steps_[warp], step);
    if (found == steps_[warp].end() || *found != step)
        return {};
    return static_cast<std::size_t>(found - steps_[warp].begin());
}

std::size_t BlockBarriers::next(std::size_t warp, std::size_t step) const
{
    if (warp >= steps_.size())
        return count_;
    return static_cast<std::size_t>(std::ranges::lower_bound(steps_[warp], step) - steps_[warp].begin());
}

// Calls each_element with the index of each element of each lane. Skips addresses that are not elements of the tile.
template <class Visit>
void BlockBarriers::visit(const Event& event, Visit each_element) const
{
    const Access& access = *event.access;
    const recording::Array& array = recording_.arrays[access.array];
    const uint32_t bytes = std::max(1u, array.element_bytes);
    for (uint32_t lane = 0; lane < warp_size; ++lane)
        for (uint32_t byte = 0; takes_part(access, lane) && byte < access.width; byte += bytes)
            if (const auto cell = elements_[access.array].at(uint64_t{access.offset[lane]} + byte))
                each_element(cell->row * array.cols + cell->col);
}

RaceExample BlockBarriers::example_of(const Event& after, std::size_t barrier, uint32_t warp, uint32_t index) const
{
    const uint8_t array = after.access->array;
    const uint32_t cols = std::max(1u, recording_.arrays[array].cols);
    RaceExample example{
        .array = array, .cell = {index / cols, index % cols}, .after_warp = warp, .after_line = after.access->line};
    for (uint32_t other = 0; other < intervals_.size(); ++other)
        for (const Event& event : intervals_[other][barrier]) {
            if (other == warp || event.access->array != array || !(after.reads ? event.written : event.reads))
                continue;
            bool same = false;
            visit(event, [&](uint32_t element) { same = same || element == index; });
            if (same) {
                example.before_warp = other;
                example.before_line = event.access->line;
                return example;
            }
        }
    return example;
}

BarrierRaces BlockBarriers::races(std::size_t barrier, uint32_t chosen) const
{
    BarrierRaces result{.barrier = barrier, .read = {}, .overwrite = {}};
    Touched touched(recording_);
    for (std::size_t warp = 0; warp < intervals_.size(); ++warp)
        for (const Event& event : intervals_[warp][barrier])
            visit(event, [&](uint32_t element) {
                if (event.reads)
                    touched.readers[event.access->array][element] |= bit(warp);
                if (event.written)
                    touched.writers[event.access->array][element] |= bit(warp);
            });
    for (Race* race : {&result.read, &result.overwrite})
        race->cells.resize(recording_.arrays.size());
    std::vector<std::vector<uint8_t>> marked(recording_.arrays.size()); // bit 0: read, bit 1: overwritten
    for (std::size_t i = 0; i < marked.size(); ++i)
        marked[i].resize(touched.readers[i].size());
    for (std::size_t warp = 0; warp < intervals_.size(); ++warp)
        for (const Event& event : intervals_[warp][barrier + 1]) {
            if (!event.reads && !event.writes)
                continue;
            Race& race = event.reads ? result.read : result.overwrite;
            const uint8_t array = event.access->array, mark = event.reads ? 1 : 2;
            const auto& others = event.reads ? touched.writers[array] : touched.readers[array];
            const bool better = !race.example || (race.example->after_warp != chosen && warp == chosen);
            std::optional<uint32_t> first;
            visit(event, [&](uint32_t element) {
                ++race.all;
                if ((others[element] & ~bit(warp)) == 0)
                    return;
                ++race.accesses;
                if (!first)
                    first = element;
                if ((marked[array][element] & mark) == 0)
                    race.cells[array].push_back(
                        {element / recording_.arrays[array].cols, element % recording_.arrays[array].cols});
                marked[array][element] |= mark;
            });
            if (first && better)
                race.example = example_of(event, barrier, static_cast<uint32_t>(warp), *first);
        }
    return result;
}

} // namespace viz
