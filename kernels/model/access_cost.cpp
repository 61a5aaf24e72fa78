#include "model/access_cost.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>

namespace model {

namespace {

constexpr int row_bytes = banks * bank_bytes; // one word from each bank: 128 bytes

// Returns the width that banks serve at once. Lanes with 1 or 2 bytes of a word share it, like lanes with the same
// word.
int chunk_bytes(const Pattern& pattern)
{
    return std::max(pattern.width, bank_bytes);
}

bool active(const Pattern& pattern, int lane)
{
    return pattern.mask >> lane & 1;
}

// Returns whether every active lane has the same address as lane ^ x, if that lane is active too.
bool neighbours_agree(const Pattern& pattern, int x)
{
    for (int lane = 0; lane < lanes; ++lane)
        if (active(pattern, lane) && active(pattern, lane ^ x) && pattern.offset[lane] != pattern.offset[lane ^ x])
            return false;
    return true;
}

// Aligned accesses of one width fall into columns of banks: 32, 16 or 8 of them. Different chunks (of `width` bytes) in
// one column are served one after another.
struct Group {
    std::array<std::array<uint64_t, lanes>, banks> chunks; // [column][turn]
    std::array<uint8_t, banks> turns{};

    // Returns the turn in which the chunk is served.
    int serve(uint64_t chunk, int columns)
    {
        const std::size_t column = chunk % columns;
        for (int turn = 0; turn < turns[column]; ++turn)
            if (chunks[column][turn] == chunk)
                return turn;
        chunks[column][turns[column]] = chunk;
        return turns[column]++;
    }
    int wavefronts() const { return *std::max_element(turns.begin(), turns.end()); }
};

// Returns how many chunks fit in one row of all banks.
int columns_of(const Pattern& pattern, int bank_count)
{
    return std::max(1, bank_count * bank_bytes / chunk_bytes(pattern));
}

SharedCost cost(const Pattern& pattern, int group_lanes, int columns)
{
    SharedCost sum;
    for (int first = 0; first < lanes; first += group_lanes) {
        Group group;
        for (int lane = first; lane < first + group_lanes; ++lane)
            if (active(pattern, lane))
                group.serve(pattern.offset[lane] / chunk_bytes(pattern), columns);
        const int wavefronts = group.wavefronts();
        sum.wavefronts += wavefronts;
        sum.conflicts += std::max(0, wavefronts - 1);
    }
    return sum;
}

} // namespace

int lanes_per_group(recording::Op op, const Pattern& pattern, int bank_count)
{
    const int one_row = columns_of(pattern, bank_count); // number of lanes whose chunks fill one row of banks
    const bool merge = op == recording::Op::shared_load && pattern.width > bank_bytes &&
                       (neighbours_agree(pattern, 1) || neighbours_agree(pattern, 2));
    return merge ? 2 * one_row : one_row;
}

SharedCost shared_access(recording::Op op, const Pattern& pattern, int bank_count)
{
    return cost(pattern, lanes_per_group(op, pattern, bank_count), columns_of(pattern, bank_count));
}

GlobalCost global_access(const Pattern& pattern)
{
    std::array<uint64_t, lanes> sectors;
    auto end = sectors.begin();
    for (int lane = 0; lane < lanes; ++lane)
        if (active(pattern, lane))
            *end++ = pattern.offset[lane] / sector_bytes;
    std::sort(sectors.begin(), end);
    const auto different = std::unique(sectors.begin(), end) - sectors.begin();
    return {.requests = pattern.mask != 0, .sectors = static_cast<int>(different)};
}

namespace {

// Returns the lanes in [first, first + count) that copy or write zeros, in order.
std::vector<int> taking_part(const CopyPattern& copy, int first, int count)
{
    std::vector<int> result;
    for (int lane = first; lane < first + count; ++lane)
        if ((copy.mask | copy.idle) >> lane & 1)
            result.push_back(lane);
    return result;
}

// Returns how many lanes share a bank with the most delayed lane, including itself, for one group of a copy through L1.
int copied_together(const CopyPattern& copy, const std::vector<int>& group)
{
    const auto bank = [&copy](uint64_t address) { return address % row_bytes / static_cast<uint64_t>(copy.width); };
    const auto reads = [&copy](int lane) { return (copy.mask >> lane & 1) != 0; };
    int most = 0;
    for (const int lane : group)
        most = std::max(most, static_cast<int>(std::count_if(group.begin(), group.end(), [&](int other) {
                            return other == lane || bank(copy.to[other]) == bank(copy.to[lane]) ||
                                   (reads(lane) && reads(other) && bank(copy.from[other]) == bank(copy.from[lane]));
                        })));
    return most;
}

// Returns the largest number of lanes in the group that write to one bank.
int written_to_one_bank(const CopyPattern& copy, const std::vector<int>& group)
{
    std::array<int, banks> count{};
    for (const int lane : group)
        ++count[copy.to[lane] % row_bytes / static_cast<uint64_t>(copy.width)];
    return *std::max_element(count.begin(), count.end());
}

} // namespace

GlobalCost copy_read(const CopyPattern& copy)
{
    if (!copy.bypass)
        return global_access({.width = copy.width, .mask = copy.mask, .offset = copy.from});
    std::set<uint64_t> written;
    // Each entry has a source sector, its destination, and whether its halves are swapped.
    std::set<std::tuple<uint64_t, uint64_t, bool>> fetched;
    for (int lane = 0; lane < lanes; ++lane)
        if ((copy.mask >> lane & 1) != 0 && written.insert(copy.to[lane]).second)
            fetched.insert({copy.from[lane] / sector_bytes, copy.to[lane] / sector_bytes,
                            (copy.from[lane] ^ copy.to[lane]) % sector_bytes >= sector_bytes / 2});
    return {.requests = copy.mask != 0, .sectors = static_cast<int>(fetched.size())};
}

SharedCost copy_write(const CopyPattern& copy)
{
    SharedCost cost;
    const int group_lanes = std::min(lanes, row_bytes / copy.width);
    for (int first = 0; first < lanes; first += group_lanes) {
        const std::vector<int> group = taking_part(copy, first, group_lanes);
        if (group.empty())
            continue;
        const int through_l1 = copied_together(copy, group);
        cost.wavefronts += copy.bypass ? written_to_one_bank(copy, group) : through_l1;
        if (!copy.bypass || copy.idle != 0)
            cost.conflicts += through_l1 - 1;
    }
    return cost;
}

std::optional<recording::SharedTotals> shared_atomics(recording::AtomicRule rule, const AtomicWavefronts& sums)
{
    using recording::AtomicRule;
    const auto [instructions, lane_by_lane, counted] = sums;
    switch (rule) {
    case AtomicRule::lane_by_lane:
        return recording::SharedTotals{instructions, lane_by_lane, lane_by_lane - instructions};
    case AtomicRule::counted: return recording::SharedTotals{instructions, counted, counted - instructions};
    case AtomicRule::compare_and_swap:
        return recording::SharedTotals{instructions, 2 * lane_by_lane, lane_by_lane - instructions};
    case AtomicRule::either: // equal sums have equal terms
        if (counted == lane_by_lane)
            return recording::SharedTotals{instructions, counted, counted - instructions};
        return std::nullopt;
    case AtomicRule::unknown:
    case AtomicRule::sectors:
    case AtomicRule::loop:
    case AtomicRule::not_measured: return std::nullopt;
    }
    return std::nullopt;
}

std::optional<SharedCost> shared_atomic(const Pattern& pattern)
{
    if (pattern.mask == 0)
        return SharedCost{};
    const CopyPattern all{.width = bank_bytes, .bypass = true, .mask = pattern.mask, .from = {}, .to = pattern.offset};
    const auto number = [](int count) { return static_cast<uint64_t>(count); };
    const auto totals =
        shared_atomics(pattern.atomic, {.instructions = 1,
                                        .lane_by_lane = number(written_to_one_bank(all, taking_part(all, 0, lanes))),
                                        .counted = number(cost(pattern, lanes, banks).wavefronts)});
    if (!totals)
        return std::nullopt;
    return SharedCost{static_cast<int>(totals->wavefronts), static_cast<int>(totals->conflicts)};
}

std::optional<GlobalCost> global_atomic(const Pattern& pattern)
{
    if (pattern.atomic != recording::AtomicRule::sectors)
        return std::nullopt;
    std::map<uint64_t, int> lanes_at, most; // by address; by sector
    for (int lane = 0; lane < lanes; ++lane)
        if (active(pattern, lane)) {
            int& in_sector = most[pattern.offset[lane] / sector_bytes];
            in_sector = std::max(in_sector, ++lanes_at[pattern.offset[lane]]);
        }
    GlobalCost result{.requests = pattern.mask != 0};
    for (const auto& [sector, count] : most)
        result.sectors += count;
    return result;
}

namespace {

// Returns the words of an atomic operation whose lanes are served one after another, also those of one word.
std::vector<Word> one_by_one(const Pattern& pattern)
{
    using recording::AtomicRule;
    std::vector<Word> words;
    const bool twice = pattern.atomic == AtomicRule::compare_and_swap;
    std::array<uint8_t, banks> wavefronts{};
    for (int lane = 0; lane < lanes; ++lane)
        if (active(pattern, lane)) {
            const int bank = bank_of(pattern.offset[lane]);
            for (int time = 0; time < (twice ? 2 : 1); ++time)
                words.push_back({.lane = static_cast<uint8_t>(lane),
                                 .bank = static_cast<uint8_t>(bank),
                                 .wavefront = wavefronts[static_cast<std::size_t>(bank)]++,
                                 .word = pattern.offset[lane] / bank_bytes});
        }
    return words;
}

} // namespace

std::vector<Word> schedule(recording::Op op, const Pattern& pattern, int bank_count)
{
    std::vector<Word> words;
    if (op == recording::Op::shared_atomic && pattern.atomic != recording::AtomicRule::counted)
        return shared_atomic(pattern) ? one_by_one(pattern) : words;
    const int group_lanes = lanes_per_group(op, pattern, bank_count);
    int wavefronts_before = 0;
    for (int first = 0; first < lanes; first += group_lanes) {
        Group group;
        for (int lane = first; lane < first + group_lanes; ++lane) {
            if (!active(pattern, lane))
                continue;
            const int chunk = chunk_bytes(pattern);
            const int turn = group.serve(pattern.offset[lane] / chunk, columns_of(pattern, bank_count));
            for (int i = 0; i < chunk / bank_bytes; ++i) {
                const uint64_t word = pattern.offset[lane] / bank_bytes + i;
                words.push_back({.lane = static_cast<uint8_t>(lane),
                                 .bank = static_cast<uint8_t>(bank_of(word * bank_bytes, bank_count)),
                                 .wavefront = static_cast<uint8_t>(wavefronts_before + turn),
                                 .group = static_cast<uint8_t>(first / group_lanes),
                                 .word = word});
            }
        }
        wavefronts_before += group.wavefronts();
    }
    return words;
}

namespace {

// Counts the different addresses, and the lanes of the address that most lanes access.
struct Addresses {
    uint64_t most = 0, different = 0;
};
Addresses addresses_of(const Pattern& pattern)
{
    std::map<uint64_t, uint64_t> lanes_at;
    Addresses result;
    for (int lane = 0; lane < lanes; ++lane)
        if (active(pattern, lane))
            result.most = std::max(result.most, ++lanes_at[pattern.offset[static_cast<std::size_t>(lane)]]);
    result.different = lanes_at.size();
    return result;
}

} // namespace

recording::Totals totals_of(recording::Op op, const Pattern& pattern)
{
    using recording::Op;
    recording::Totals totals;
    if (pattern.mask == 0)
        return totals;
    if (op == Op::constant_load || op == Op::shared_atomic || op == Op::global_atomic) {
        const Addresses addresses = addresses_of(pattern);
        const recording::AtomicTotals atomic{1, static_cast<uint64_t>(std::popcount(pattern.mask)), addresses.most};
        if (op == Op::constant_load) {
            totals.constant_load = {1, addresses.different};
        } else if (op == Op::shared_atomic) {
            totals.shared_atomic = atomic;
            if (const auto cost = shared_atomic(pattern))
                totals.shared_atomic_cost = totals_of(*cost);
        } else {
            totals.global_atomic = atomic;
            if (const auto cost = global_atomic(pattern))
                totals.global_atomic_cost = totals_of(*cost);
        }
    }
    const std::optional<Op> kind = recording::counted_as(op);
    if (kind == Op::shared_load || kind == Op::shared_store)
        (kind == Op::shared_load ? totals.shared_load : totals.shared_store) = totals_of(shared_access(op, pattern));
    else if (kind)
        (kind == Op::global_load ? totals.global_load : totals.global_store) = totals_of(global_access(pattern));
    return totals;
}

const recording::Totals& CostMemo::totals_of(recording::Op op, int width, uint32_t mask,
                                             const std::array<uint64_t, lanes>& offset, recording::AtomicRule atomic)
{
    constexpr uint64_t row_bytes = banks * bank_bytes; // also a whole number of sectors
    static_assert(row_bytes % sector_bytes == 0);
    static constexpr recording::Totals nothing;
    if (mask == 0 || !recording::in_totals(op))
        return nothing;
    const uint64_t row = offset[static_cast<std::size_t>(std::countr_zero(mask))] / row_bytes * row_bytes;
    uint64_t hash = uint64_t{mask} << 16 | static_cast<uint64_t>(width) << 8 | static_cast<uint64_t>(op);
    for (const std::size_t lane : {0, 1, 2, 3, 4, 8, 16, 31})
        hash = (hash ^ ((mask >> lane & 1) != 0 ? offset[lane] - row : 0)) * 0x9e3779b97f4a7c15u;
    Entry& entry = entries_[hash >> 56];
    uint64_t differs = static_cast<uint64_t>(entry.pattern.mask ^ mask) |
                       static_cast<uint64_t>(entry.pattern.width ^ width) | (entry.op != op ? 1 : 0);
    for (std::size_t lane = 0; lane < lanes; ++lane)
        differs |= ((offset[lane] - row) ^ entry.pattern.offset[lane]) & entry.active[lane];
    if (differs == 0 && entry.pattern.atomic == atomic)
        return entry.totals;
    entry.op = op;
    entry.pattern = {.width = width, .mask = mask, .offset = {}, .atomic = atomic};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        entry.active[lane] = (mask >> lane & 1) != 0 ? ~uint64_t{0} : 0;
        entry.pattern.offset[lane] = (offset[lane] - row) & entry.active[lane];
    }
    return entry.totals = model::totals_of(op, entry.pattern);
}

} // namespace model
