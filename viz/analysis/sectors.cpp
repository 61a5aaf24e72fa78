#include "viz/analysis/sectors.h"

#include "viz/text/figures.h"
#include "viz/text/rich.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace viz {

using recording::Access;
using recording::warp_size;

namespace {

constexpr uint32_t word_bytes = 4;

// Returns the distance between the addresses of consecutive active lanes, if it is constant.
std::optional<int64_t> stride_of(const Access& access)
{
    std::optional<int64_t> stride;
    for (uint32_t lane = 0; lane + 1 < warp_size; ++lane) {
        if (!takes_part(access, lane) || !takes_part(access, lane + 1))
            continue;
        const int64_t step = static_cast<int64_t>(access.offset[lane + 1]) - access.offset[lane];
        if (stride && *stride != step)
            return {};
        stride = step;
    }
    return stride;
}

Rich reason_of(const Access& access, const recording::Array& array, const SectorPicture& picture)
{
    if (access.mask == 0)
        return rich("no lane takes part, nothing is moved.");
    if (std::popcount(access.mask) == 1)
        return rich("one lane alone takes part, and a sector is the least that can be moved.");
    const std::optional<int64_t> stride = stride_of(access);
    const int64_t row = int64_t{array.cols} * array.element_bytes;
    const bool least = picture.sectors == picture.least_sectors;
    if (is_atomic(access.op) && picture.sectors > picture.least_sectors)
        return rich(stride == 0 ? "all lanes update one address, and its sector is sent once for each of them."
                                : "a sector is sent once for each lane that updates the same address.");
    if (stride == 0)
        return rich("all lanes want the same bytes, which are fetched once and handed to each (broadcast).");
    if (stride == int64_t{access.width})
        return least ? rich("neighbouring lanes want neighbouring bytes: the access is coalesced.")
                     : rich("neighbouring lanes want neighbouring bytes, but the first does not begin a sector, so one "
                            "more is touched.");
    if (stride && row > 0 && *stride % row == 0)
        return rich("from lane to lane the address steps by {} bytes, {} of `{}`: each lane needs sectors of its own.",
                    std::abs(*stride), counted(static_cast<uint64_t>(std::abs(*stride) / row), "row"), array.name);
    if (stride)
        return rich("from lane to lane the address steps by {} bytes, while each lane wants {}.", *stride,
                    access.width);
    return least ? rich("the lanes share the fewest sectors in which their bytes fit.")
                 : rich("the lanes' addresses lie in several pieces, and each piece touches sectors of its own.");
}

} // namespace

bool MemoryLine::touches(uint32_t sector) const
{
    const auto first = lanes.begin() + sector * words_of_sector;
    return std::any_of(first, first + words_of_sector, [](uint32_t mask) { return mask != 0; });
}

namespace {

// Returns the distinct touched words of one access, ascending.
std::vector<uint32_t> words_of(const Access& access)
{
    std::vector<uint32_t> words;
    words.reserve(warp_size * access.width / word_bytes);
    for (uint32_t lane = 0; lane < warp_size; ++lane)
        for (uint32_t byte = 0; takes_part(access, lane) && byte < access.width; byte += word_bytes)
            words.push_back((access.offset[lane] + byte) / word_bytes);
    keep_distinct(words);
    return words;
}

} // namespace

recording::Op use_kind(recording::Op op)
{
    using recording::Op;
    return op == Op::global_atomic ? op : is_store(op) ? Op::global_store : Op::global_load;
}

std::string kind_word(recording::Op kind)
{
    return std::string(recording::name(kind).substr(std::string_view("global ").size()));
}

std::vector<uint32_t> lines_of(const Access& access)
{
    std::vector<uint32_t> lines;
    for (uint32_t lane = 0; lane < warp_size; ++lane)
        if (takes_part(access, lane))
            lines.push_back(access.offset[lane] / line_bytes);
    keep_distinct(lines);
    return lines;
}

uint64_t fewest_sectors(const Access& access)
{
    return (words_of(access).size() * word_bytes + model::sector_bytes - 1) / model::sector_bytes;
}

SectorPicture sector_picture(const Access& access, const recording::Array& array)
{
    SectorPicture picture;
    std::map<uint64_t, MemoryLine> lines;
    for (uint32_t lane = 0; lane < warp_size; ++lane) {
        if (!takes_part(access, lane))
            continue;
        for (uint32_t byte = 0; byte < access.width; byte += word_bytes) {
            const uint64_t offset = uint64_t{access.offset[lane]} + byte;
            MemoryLine& line = lines[offset / line_bytes];
            line.offset = offset / line_bytes * line_bytes;
            line.lanes[offset % line_bytes / word_bytes] |= 1u << lane;
        }
    }
    for (const auto& [number, line] : lines) {
        for (uint32_t sector = 0; sector < words_of_line / words_of_sector; ++sector)
            picture.sectors += line.touches(sector) ? 1 : 0;
        picture.used_bytes += word_bytes * static_cast<uint64_t>(std::count_if(line.lanes.begin(), line.lanes.end(),
                                                                               [](uint32_t m) { return m != 0; }));
        picture.lines.push_back(line);
    }
    if (is_atomic(access.op))
        picture.sectors = static_cast<uint64_t>(global_cost(access).sectors);
    picture.least_sectors = (picture.used_bytes + model::sector_bytes - 1) / model::sector_bytes;
    picture.reason = reason_of(access, array, picture);
    return picture;
}

std::optional<std::size_t> nearest_global(const recording::WarpTrace& warp, std::size_t step)
{
    return nearest_step(warp, step, [&](std::size_t i) {
        return has_global_cost(warp.accesses[i]) && (i == step || warp.accesses[i].mask != 0);
    });
}

namespace {

struct Gathered {
    GlobalUse use;
    std::vector<bool> touched; // by sector
};

void gather(Gathered& into, const Access& access)
{
    const std::vector<uint32_t> words = words_of(access);
    ++into.use.requests;
    const uint64_t before = into.use.sectors;
    into.use.used_bytes += words.size() * word_bytes;
    std::optional<uint32_t> last, last_line;
    for (const uint32_t word : words) {
        const uint32_t sector = word / words_of_sector, line = word / words_of_line;
        into.use.lines += line == last_line ? 0 : 1;
        last_line = line;
        if (sector == last)
            continue;
        last = sector;
        ++into.use.sectors;
        if (sector >= into.touched.size())
            into.touched.resize(std::max<std::size_t>(sector + 1, into.touched.size() * 2));
        if (!into.touched[sector]) {
            into.touched[sector] = true;
            ++into.use.different_sectors;
        }
    }
    if (is_atomic(access.op))
        into.use.sectors = before + static_cast<uint64_t>(global_cost(access).sectors);
}

// Divides the totals of the launch among arrays. Totals are known by source line and kind of access, so arrays on one
// line share them.
void share_out(std::vector<GlobalUse>& uses)
{
    std::map<std::pair<uint32_t, recording::Op>, recording::GlobalTotals> of_line;
    for (const GlobalUse& use : uses) {
        of_line[{use.line, use.kind}].requests += use.requests;
        of_line[{use.line, use.kind}].sectors += use.sectors;
    }
    for (GlobalUse& use : uses) {
        const recording::GlobalTotals& all = of_line[{use.line, use.kind}];
        use.launch.requests = use.launch.requests * use.requests / std::max<uint64_t>(all.requests, 1);
        use.launch.sectors = use.launch.sectors * use.sectors / std::max<uint64_t>(all.sectors, 1);
    }
}

} // namespace

std::vector<GlobalUse> global_use(const recording::Recording& recording, const recording::BlockTrace& block)
{
    std::map<std::tuple<uint32_t, recording::Op, uint8_t>, Gathered> gathered;
    for (const recording::WarpTrace& warp : block.warps)
        for (const Access& access : warp.accesses)
            if (has_global_cost(access) && access.mask != 0)
                gather(gathered[{access.line, use_kind(access.op), access.array}], access);
    std::vector<GlobalUse> result;
    for (auto& [key, found] : gathered) {
        std::tie(found.use.line, found.use.kind, found.use.array) = key;
        for (const recording::LineTotals& line : recording.lines)
            if (line.line == found.use.line)
                found.use.launch = found.use.kind == recording::Op::global_store  ? line.totals.global_store
                                   : found.use.kind == recording::Op::global_load ? line.totals.global_load
                                                                                  : line.totals.global_atomic_cost;
        result.push_back(found.use);
    }
    share_out(result);
    return result;
}

LaunchMoves launch_moves(const std::vector<GlobalUse>& uses)
{
    LaunchMoves all;
    for (const GlobalUse& use : uses) {
        all.requests += use.launch.requests;
        all.sectors += use.launch.sectors;
        all.lines += static_cast<double>(use.launch.requests) * use.lines_per_request();
    }
    return all;
}

uint32_t lanes_with_thread(const recording::Launch& launch, std::size_t warp)
{
    const std::size_t threads = launch.threads_per_block(), first = warp * recording::warp_size;
    if (first >= threads || threads - first >= recording::warp_size)
        return 0xffffffff;
    return (1u << (threads - first)) - 1;
}

GuardUse guard_use(const recording::Launch& launch, const recording::BlockTrace& block)
{
    GuardUse use;
    for (std::size_t warp = 0; warp < block.warps.size(); ++warp) {
        const uint32_t threads = lanes_with_thread(launch, warp);
        for (const recording::Access& access : block.warps[warp].accesses) {
            if (!is_global(access.op) && access.op != recording::Op::global_atomic)
                continue;
            const auto off = static_cast<uint32_t>(std::popcount(threads & ~access.mask));
            ++use.accesses;
            use.guarded += off > 0;
            use.lanes += static_cast<uint32_t>(std::popcount(threads));
            use.off += off;
        }
    }
    return use;
}

} // namespace viz
