#include "viz/analysis/tile_use.h"

#include "viz/analysis/bank_picture.h"
#include "viz/analysis/bulk_copy.h"
#include "viz/text/figures.h"

#include "model/recorded_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace viz {

using recording::Access;
using recording::warp_size;

namespace {

// Returns why a lane's elements cannot be accessed as one piece. Returns nothing if they can.
std::optional<Message> tear(const TilePattern& pattern, const recording::Array& tile, const Places& places,
                            uint32_t lane)
{
    const uint32_t count = pattern.width / std::max(1u, tile.element_bytes);
    const Cell cell = pattern.first[lane];
    const std::size_t index = std::size_t{cell.row} * tile.cols + cell.col;
    if (count <= 1)
        return {};
    bool whole = cell.col + count <= tile.cols && places.place[index] % count == 0;
    std::string list;
    for (uint32_t i = 0; i < count && cell.col + i < tile.cols; ++i) {
        whole = whole && places.place[index + i] == places.place[index] + i;
        list += fmt::format("{}{}", i == 0 ? "" : ", ", places.place[index + i]);
    }
    if (whole)
        return {};
    return Message{"layout.torn",
                   {{"line", viz::index(pattern.line)},
                    {"bytes", pattern.width},
                    {"row", viz::index(cell.row)},
                    {"first", viz::index(cell.col)},
                    {"last", viz::index(cell.col + count - 1)},
                    {"places", list},
                    {"count", count}}};
}

} // namespace

std::optional<TilePattern> pattern_by_element(const Access& access, const Elements& elements)
{
    TilePattern pattern{.op = access.op, .width = access.width, .line = access.line, .mask = access.mask};
    for (uint32_t lane = 0; lane < warp_size; ++lane) {
        if (!takes_part(access, lane))
            continue;
        const auto cell = elements.at(access.offset[lane]);
        if (!cell)
            return {};
        pattern.first[lane] = *cell;
    }
    return pattern;
}

model::Pattern pattern_at(const TilePattern& pattern, const recording::Array& tile, const Places& places)
{
    model::Pattern moved;
    moved.width = pattern.width;
    moved.mask = pattern.mask;
    for (uint32_t lane = 0; lane < warp_size; ++lane)
        if (pattern.mask >> lane & 1u) {
            const Cell cell = pattern.first[lane];
            moved.offset[lane] =
                uint64_t{places.place[std::size_t{cell.row} * tile.cols + cell.col]} * tile.element_bytes;
        }
    return moved;
}

TileUse tile_use(const recording::Recording& recording, const recording::BlockTrace& block, uint8_t array)
{
    TileUse use;
    use.array = array;
    const Elements elements(recording.arrays[array]);
    // Groups equal steps of all warps. Of the addresses that a copy reads, only the banks matter.
    using Addresses = std::array<uint64_t, warp_size>;
    struct Seen {
        const Access* access = nullptr;
        std::optional<model::CopyPattern> copy;
        uint64_t times = 0;
    };
    std::map<
        std::tuple<uint32_t, recording::Op, uint8_t, uint32_t, uint32_t, std::array<uint32_t, warp_size>, Addresses>,
        Seen>
        alike;
    for (const recording::WarpTrace& warp : block.warps)
        for (std::size_t step = 0; step < warp.accesses.size(); ++step) {
            const Access& access = warp.accesses[step];
            if (!touches_shared(access.op) || access.array != array || access.mask == 0)
                continue;
            std::optional<model::CopyPattern> copy = model::copy_at(warp, step);
            for (std::size_t lane = 0; copy && lane < copy->from.size(); ++lane)
                copy->from[lane] %= uint64_t{model::banks} * model::bank_bytes;
            Seen& seen = alike[{access.line, access.op, access.width, access.mask, copy ? copy->mask : 0, access.offset,
                                copy ? copy->from : Addresses{}}];
            seen = {&access, copy, seen.times + 1};
        }
    for (const auto& [key, seen] : alike)
        if (auto pattern = pattern_by_element(*seen.access, elements)) {
            pattern->times = seen.times;
            pattern->copy = seen.copy;
            use.patterns.push_back(*pattern);
        }
    std::sort(use.patterns.begin(), use.patterns.end(), [](const TilePattern& a, const TilePattern& b) {
        return std::tie(a.line, a.op, a.mask, a.first) < std::tie(b.line, b.op, b.mask, b.first);
    });
    return use;
}

namespace {

model::SharedCost cost_at(const TilePattern& pattern, const recording::Array& tile, const Places& places)
{
    const model::Pattern moved = pattern_at(pattern, tile, places);
    if (!pattern.copy)
        return model::shared_access(pattern.op, moved);
    model::CopyPattern copy = *pattern.copy;
    copy.to = moved.offset;
    return model::copy_write(copy);
}

} // namespace

TileCost cost_of(const TileUse& use, const recording::Array& tile, const Places& places)
{
    TileCost cost;
    cost.refusal = places.refusal;
    std::map<std::tuple<uint32_t, bool>, LineCost> lines; // line, load
    for (const TilePattern& pattern : use.patterns) {
        if (cost.refusal)
            return cost;
        for (uint32_t lane = 0; lane < warp_size && !cost.refusal; ++lane)
            if (pattern.mask >> lane & 1u)
                cost.refusal = tear(pattern, tile, places, lane);
        if (cost.refusal)
            return cost;
        const model::SharedCost one = cost_at(pattern, tile, places);
        const recording::SharedTotals all{pattern.times, pattern.times * static_cast<uint64_t>(one.wavefronts),
                                          pattern.times * static_cast<uint64_t>(one.conflicts)};
        LineCost& line = lines[{pattern.line, !is_store(pattern.op)}];
        line.line = pattern.line;
        line.store = is_store(pattern.op);
        line.totals += all;
        cost.totals += all;
    }
    for (const auto& [key, line] : lines)
        cost.lines.push_back(line);
    return cost;
}

std::optional<Mapping> curing_xor(const TileUse& use, const recording::Array& tile)
{
    std::optional<Mapping> best;
    uint64_t least = cost_of(use, tile, places_of(tile, {})).totals.conflicts;
    for (const Mapping& tried : all_xors()) {
        if (least == 0)
            break;
        const TileCost cost = cost_of(use, tile, places_of(tile, tried));
        if (cost.refusal || cost.totals.conflicts >= least)
            continue;
        least = cost.totals.conflicts;
        best = tried;
    }
    return best;
}

namespace {

uint32_t lanes_at(const Access& access, uint64_t place)
{
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < warp_size; ++lane)
        if (takes_part(access, lane) && access.offset[lane] <= place &&
            place < uint64_t{access.offset[lane]} + access.width)
            lanes |= 1u << lane;
    return lanes;
}

// Returns whether the step is a bulk copy to or from that element of its tile, or a wgmma that reads it.
bool moves_box(const recording::Recording& recording, const recording::WarpTrace& warp, std::size_t step,
               const std::vector<BulkCopy>& copies, Cell cell)
{
    const Access& access = warp.accesses[step];
    const auto within = [cell](const CellRect& box) {
        return cell.row - box.row < box.rows && cell.col - box.col < box.cols;
    };
    if (access.op == recording::Op::bulk_store)
        return std::ranges::any_of(copies,
                                   [&](const BulkCopy& copy) { return copy.step == step && within(copy.target); });
    if (access.op == recording::Op::bulk_load) // copies back to global memory
        return std::ranges::any_of(copies,
                                   [&](const BulkCopy& copy) { return copy.step == step + 1 && within(copy.source); });
    if (access.op != recording::Op::matrix_multiply)
        return false;
    const auto operands = group_operands(recording, warp, step);
    return operands && within(access.array == operands->a ? operands->a_cells : operands->b_cells);
}

} // namespace

std::vector<CellUse> uses_of_cell(const recording::Recording& recording, const recording::BlockTrace& block,
                                  uint8_t array, Cell cell)
{
    const recording::Array& tile = recording.arrays[array];
    const uint64_t place = tile.offset_of(cell.row, cell.col);
    std::map<std::tuple<uint32_t, bool, uint32_t>, CellUse> found; // line, load, warp
    for (uint32_t warp = 0; warp < block.warps.size(); ++warp) {
        const recording::WarpTrace& trace = block.warps[warp];
        const std::vector<BulkCopy> copies = bulk_copies(recording, trace);
        for (std::size_t step = 0; step < trace.accesses.size(); ++step) {
            const Access& access = trace.accesses[step];
            if (access.array != array)
                continue;
            const bool opaque = access.op == recording::Op::tile_load || access.op == recording::Op::tile_store;
            uint32_t lanes = opaque || touches_shared(access.op) ? lanes_at(access, place) : 0;
            // With WMMA it is unknown which lane of a warp gets which element.
            if ((opaque && lanes != 0) || moves_box(recording, trace, step, copies, cell))
                lanes = opaque ? ~0u : access.mask;
            if (lanes == 0)
                continue;
            const bool store = is_store(access.op);
            CellUse& use = found[{access.line, !store, warp}];
            use = {access.line, store, warp, use.lanes | lanes, use.times + 1};
        }
    }
    std::vector<CellUse> result;
    for (const auto& [key, use] : found)
        result.push_back(use);
    return result;
}

std::string uses_text(const std::vector<CellUse>& uses, bool store)
{
    // Warps with the same lanes on the same line are listed together.
    std::map<std::tuple<uint32_t, uint32_t>, std::vector<uint32_t>> warps; // line, lanes
    for (const CellUse& use : uses)
        if (use.store == store)
            warps[{use.line, use.lanes}].push_back(use.warp);
    constexpr std::size_t most = 3;
    std::string text;
    std::size_t named = 0;
    for (const auto& [key, list] : warps) {
        if (named++ == most)
            return text + fmt::format(" and {} more", warps.size() - most);
        const auto& [line, lanes] = key;
        text += fmt::format("{}{} {} (line {})", text.empty() ? "" : "; ", warps_text(list), lane_list(lanes), line);
    }
    return text.empty() ? "nobody" : text;
}

} // namespace viz
