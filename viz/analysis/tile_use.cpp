#include "viz/analysis/tile_use.h"

#include "viz/analysis/bank_picture.h"
#include "viz/analysis/bulk_copy.h"

#include "model/recorded_copy.h"

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

// Why the lane's elements cannot be moved in one piece; nothing when they can.
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

namespace {

// The write of a copy, its read's addresses by the banks that they are in: all that counts of them.
struct CopyKey {
    uint32_t line = 0;
    model::CopyPattern copy;
    auto tied() const { return std::tie(line, copy.width, copy.bypass, copy.mask, copy.idle, copy.from, copy.to); }
    bool operator<(const CopyKey& other) const { return tied() < other.tied(); }
};

CopyKey copy_key(const Access& access, model::CopyPattern copy)
{
    for (uint64_t& from : copy.from)
        from %= uint64_t{model::banks} * model::bank_bytes;
    return {access.line, copy};
}

} // namespace

TileUse tile_use(const recording::Recording& recording, const recording::BlockTrace& block, uint8_t array)
{
    TileUse use;
    use.array = array;
    const Elements elements(recording.arrays[array]);
    std::unordered_map<const Access*, uint64_t, HashAccess, SameAccess> times;
    std::map<CopyKey, std::pair<const Access*, uint64_t>> copies;
    for (const recording::WarpTrace& warp : block.warps)
        for (std::size_t step = 0; step < warp.accesses.size(); ++step) {
            const Access& access = warp.accesses[step];
            if (!touches_shared(access.op) || access.array != array || access.mask == 0)
                continue;
            if (const auto copy = model::copy_at(warp, step)) {
                auto& [first, count] = copies[copy_key(access, *copy)];
                first = &access;
                ++count;
            } else {
                ++times[&access];
            }
        }
    const auto add = [&](const Access& access, uint64_t count, const std::optional<model::CopyPattern>& copy) {
        if (auto pattern = pattern_by_element(access, elements)) {
            pattern->times = count;
            pattern->copy = copy;
            use.patterns.push_back(*pattern);
        }
    };
    for (const auto& [access, count] : times)
        add(*access, count, {});
    for (const auto& [key, seen] : copies)
        add(*seen.first, seen.second, key.copy);
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
    Mapping tried{.kind = Mapping::Kind::xored};
    for (tried.count = 1; tried.count <= most_bits; ++tried.count)
        for (const Mapping::Bits bits : {Mapping::Bits::of_row, Mapping::Bits::of_col})
            for (tried.from = 0; tried.from <= most_bit; ++tried.from)
                for (tried.to = 0; tried.to <= most_bit && least > 0; ++tried.to) {
                    tried.bits = bits;
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

// Whether the step is a bulk copy to or from that element of its tile, or a wgmma that reads it.
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
    if (access.op == recording::Op::bulk_load) // that copies back
        return std::ranges::any_of(copies,
                                   [&](const BulkCopy& copy) { return copy.step == step + 1 && within(copy.source); });
    if (access.op != recording::Op::matrix_multiply)
        return false;
    const auto operands = group_operands(recording, warp, step);
    return operands && within(access.array == operands->a ? operands->a_cells : operands->b_cells);
}

} // namespace

std::vector<Toucher> touchers_of(const recording::Recording& recording, const recording::BlockTrace& block,
                                 uint8_t array, Cell cell)
{
    const recording::Array& tile = recording.arrays[array];
    const uint64_t place = tile.offset_of(cell.row, cell.col);
    std::map<std::tuple<uint32_t, bool, uint32_t>, Toucher> found; // line, load, warp
    for (uint32_t warp = 0; warp < block.warps.size(); ++warp) {
        const recording::WarpTrace& trace = block.warps[warp];
        const std::vector<BulkCopy> copies = bulk_copies(recording, trace);
        for (std::size_t step = 0; step < trace.accesses.size(); ++step) {
            const Access& access = trace.accesses[step];
            if (access.array != array)
                continue;
            const bool opaque = access.op == recording::Op::tile_load || access.op == recording::Op::tile_store;
            uint32_t lanes = opaque || touches_shared(access.op) ? lanes_at(access, place) : 0;
            // Which lane of a warp gets what is not known of WMMA.
            if ((opaque && lanes != 0) || moves_box(recording, trace, step, copies, cell))
                lanes = opaque ? ~0u : access.mask;
            if (lanes == 0)
                continue;
            const bool store = is_store(access.op);
            Toucher& toucher = found[{access.line, !store, warp}];
            toucher = {access.line, store, warp, toucher.lanes | lanes, toucher.times + 1};
        }
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
