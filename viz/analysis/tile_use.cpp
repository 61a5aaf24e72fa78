#include "viz/analysis/tile_use.h"

#include "viz/analysis/bank_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace viz {

using recording::Access;
using recording::warp_size;

namespace {

struct SameAccess {
    bool operator()(const Access* a, const Access* b) const
    {
        return a->op == b->op && a->width == b->width && a->line == b->line && a->mask == b->mask &&
               a->offset == b->offset;
    }
};

struct HashAccess {
    std::size_t operator()(const Access* access) const
    {
        uint64_t value = access->mask ^ uint64_t { access->line } << 32 ^ uint64_t { access->width } << 56;
        for (const uint32_t offset : access->offset)
            value = (value ^ offset) * 0x9e3779b97f4a7c15u;
        return value;
    }
};

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

// Why the lane's elements cannot be moved in one piece; empty when they can.
std::string tear(const TilePattern& pattern, const recording::Array& tile, const Places& places, uint32_t lane)
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
    return fmt::format(
        "It tears an access apart: line {} moves {} bytes at once, elements ({}, {}..{}), but they would "
        "lie at places {}. They must be neighbours, the first at a multiple of {}.",
        pattern.line, pattern.width, cell.row, cell.col, cell.col + count - 1, list, count);
}

} // namespace

TileUse tile_use(const recording::Recording& recording, const recording::BlockTrace& block, uint8_t array)
{
    TileUse use;
    use.array = array;
    const Elements elements(recording.arrays[array]);
    std::unordered_map<const Access*, uint64_t, HashAccess, SameAccess> times;
    for (const recording::WarpTrace& warp : block.warps)
        for (const Access& access : warp.accesses)
            if (touches_shared(access.op) && access.array == array && access.mask != 0)
                ++times[&access];
    for (const auto& [access, count] : times)
        if (auto pattern = pattern_by_element(*access, elements)) {
            pattern->times = count;
            use.patterns.push_back(*pattern);
        }
    std::sort(use.patterns.begin(), use.patterns.end(), [](const TilePattern& a, const TilePattern& b) {
        return std::tie(a.line, a.op, a.mask, a.first) < std::tie(b.line, b.op, b.mask, b.first);
    });
    return use;
}

TileCost cost_of(const TileUse& use, const recording::Array& tile, const Places& places)
{
    TileCost cost;
    cost.refusal = places.refusal;
    std::map<std::tuple<uint32_t, bool>, LineCost> lines; // line, load
    for (const TilePattern& pattern : use.patterns) {
        if (!cost.refusal.empty())
            return cost;
        model::Pattern moved;
        moved.width = pattern.width;
        moved.mask = pattern.mask;
        for (uint32_t lane = 0; lane < warp_size; ++lane) {
            if (!(pattern.mask >> lane & 1u))
                continue;
            cost.refusal = tear(pattern, tile, places, lane);
            if (!cost.refusal.empty())
                return cost;
            const Cell cell = pattern.first[lane];
            moved.offset[lane] =
                uint64_t{places.place[std::size_t{cell.row} * tile.cols + cell.col]} * tile.element_bytes;
        }
        const model::SharedCost one = model::shared_access(pattern.op, moved);
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

std::vector<Toucher> touchers_of(const recording::Recording& recording, const recording::BlockTrace& block,
                                 uint8_t array, Cell cell)
{
    const recording::Array& tile = recording.arrays[array];
    const uint64_t place = tile.offset_of(cell.row, cell.col);
    std::map<std::tuple<uint32_t, bool, uint32_t>, Toucher> found; // line, load, warp
    for (uint32_t warp = 0; warp < block.warps.size(); ++warp)
        for (const Access& access : block.warps[warp].accesses) {
            if (access.array != array || !is_shared(access.op))
                continue;
            uint32_t lanes = 0;
            for (uint32_t lane = 0; lane < warp_size; ++lane)
                if (takes_part(access, lane) && access.offset[lane] <= place &&
                    place < uint64_t{access.offset[lane]} + access.width)
                    lanes |= 1u << lane;
            if (lanes == 0)
                continue;
            Toucher& toucher = found[{access.line, !is_store(access.op), warp}];
            toucher = {access.line, is_store(access.op), warp, toucher.lanes | lanes, toucher.times + 1};
        }
    std::vector<Toucher> result;
    for (const auto& [key, toucher] : found)
        result.push_back(toucher);
    return result;
}

std::string touchers_text(const std::vector<Toucher>& touchers, bool store)
{
    // Warps whose same lanes do it at the same line are named together.
    std::map<std::tuple<uint32_t, uint32_t>, std::vector<uint32_t>> warps; // line, lanes
    for (const Toucher& toucher : touchers)
        if (toucher.store == store)
            warps[{toucher.line, toucher.lanes}].push_back(toucher.warp);
    constexpr std::size_t most = 3;
    std::string text;
    std::size_t named = 0;
    for (const auto& [key, list] : warps) {
        if (named++ == most)
            return text + fmt::format(" and {} more", warps.size() - most);
        const auto& [line, lanes] = key;
        const bool run = list.back() - list.front() + 1 == list.size();
        std::string who = list.size() == 1 ? "warp " : "warps ";
        if (list.size() > 2 && run)
            who += fmt::format("{}-{}", list.front(), list.back());
        else
            for (std::size_t i = 0; i < list.size(); ++i)
                who += fmt::format("{}{}", i == 0 ? "" : ", ", list[i]);
        text += fmt::format("{}{} {} (line {})", text.empty() ? "" : "; ", who, lane_list(lanes), line);
    }
    return text.empty() ? "nobody" : text;
}

} // namespace viz
