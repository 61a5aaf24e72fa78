#include "model/access_totals.h"

#include <bit>

namespace model {

recording::Totals totals_of(recording::Op op, const Pattern& pattern)
{
    using recording::Op;
    recording::Totals totals;
    const std::optional<Op> kind = pattern.mask != 0 ? recording::counted_as(op) : std::nullopt;
    if (kind == Op::shared_load || kind == Op::shared_store)
        (kind == Op::shared_load ? totals.shared_load : totals.shared_store) = totals_of(shared_access(op, pattern));
    else if (kind)
        (kind == Op::global_load ? totals.global_load : totals.global_store) = totals_of(global_access(pattern));
    return totals;
}

const recording::Totals& CostMemo::totals_of(recording::Op op, int width, uint32_t mask,
                                             const std::array<uint64_t, lanes>& offset)
{
    constexpr uint64_t row_bytes = banks * bank_bytes; // also a whole number of sectors
    static_assert(row_bytes % sector_bytes == 0);
    static constexpr recording::Totals nothing;
    if (mask == 0 || !recording::counted_as(op))
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
    if (differs == 0)
        return entry.totals;
    entry.op = op;
    entry.pattern = {.width = width, .mask = mask, .offset = {}};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        entry.active[lane] = (mask >> lane & 1) != 0 ? ~uint64_t{0} : 0;
        entry.pattern.offset[lane] = (offset[lane] - row) & entry.active[lane];
    }
    return entry.totals = model::totals_of(op, entry.pattern);
}

} // namespace model
