#include "viz/views/01_flow/memory_rows.h"

#include "viz/analysis/timeline.h"

#include <algorithm>
#include <set>

namespace viz {

namespace {

// Returns the slot of the ring at `first` whose memory the warp touched last, or the first slot.
std::size_t slot_in_use(const recording::WarpTrace& warp, std::size_t step, std::size_t first, std::size_t slots)
{
    for (std::size_t i = std::min(step + 1, warp.accesses.size()); i-- > 0;) {
        const recording::Access& access = warp.accesses[i];
        if (has_addresses(access) && access.array >= first && access.array < first + slots)
            return access.array;
    }
    return first;
}

} // namespace

void MemoryRows::add(uint8_t array, uint64_t first, uint32_t rows)
{
    bands_.push_back({array, first, rows, rows_});
    rows_ += rows;
}

MemoryRows MemoryRows::of_shared(const recording::Recording& recording, const recording::WarpTrace& warp,
                                 std::size_t step)
{
    MemoryRows result;
    for (std::size_t array = 0; array < recording.arrays.size();) {
        if (recording.arrays[array].space != recording::Space::shared) {
            ++array;
            continue;
        }
        const RingPlace ring = ring_place(recording, array);
        const auto slots = static_cast<std::size_t>(ring.stage == 0 ? ring.stages : 1);
        const std::size_t shown = slot_in_use(warp, step, array, slots);
        result.add(static_cast<uint8_t>(shown), 0,
                   static_cast<uint32_t>((recording.arrays[shown].bytes + row_bytes - 1) / row_bytes));
        array += slots;
    }
    return result;
}

MemoryRows MemoryRows::of_lines(const recording::Recording& recording, const StepWays& transfers, uint32_t least)
{
    std::set<std::pair<uint8_t, uint64_t>> lines;
    for (const Transfer& transfer : transfers.transfers)
        for (const Endpoint& end : {transfer.from, transfer.to})
            if (!end.in_lane)
                lines.emplace(end.array, end.offset / row_bytes);
    const auto before = [&](std::pair<uint8_t, uint64_t> at) { return std::pair(at.first, at.second - 1); };
    const auto end = [&](uint8_t array) { return (recording.arrays[array].bytes + row_bytes - 1) / row_bytes; };
    for (bool grew = true; grew && !lines.empty() && lines.size() < least;) {
        grew = false;
        // Extends each run of lines at its end, otherwise the first run at its beginning.
        for (const auto& [array, line] : std::set(lines))
            if (lines.size() < least && line + 1 < end(array))
                grew = lines.emplace(array, line + 1).second || grew;
        if (!grew && lines.begin()->second > 0)
            grew = lines.insert(before(*lines.begin())).second;
    }
    MemoryRows result;
    for (const auto& [array, line] : lines)
        if (!result.bands_.empty() && result.bands_.back().array == array &&
            result.bands_.back().first + result.bands_.back().rows == line)
            ++result.bands_.back().rows, ++result.rows_;
        else
            result.add(array, line, 1);
    return result;
}

const RowBand* MemoryRows::band_of(uint32_t row) const
{
    const auto found = std::ranges::find_if(
        bands_, [&](const RowBand& band) { return row >= band.top && row < band.top + band.rows; });
    return found == bands_.end() ? nullptr : &*found;
}

std::optional<WordPlace> MemoryRows::place(uint8_t array, uint64_t offset) const
{
    const uint64_t row = offset / row_bytes;
    for (const RowBand& band : bands_)
        if (band.array == array && row >= band.first && row < band.first + band.rows)
            return WordPlace{band.top + static_cast<uint32_t>(row - band.first),
                             static_cast<uint32_t>(offset % row_bytes / 4)};
    return {};
}

std::optional<WordPlace> MemoryRows::place(const Endpoint& end) const
{
    return end.in_lane ? std::nullopt : place(end.array, end.offset);
}

bool MemoryRows::covers(const Endpoint& end, uint32_t bytes, const WordPlace& word) const
{
    const auto first = place(end);
    return first && first->row == word.row && word.word >= first->word && word.word < first->word + bytes / 4;
}

} // namespace viz
