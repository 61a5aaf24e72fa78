#include "viz/analysis/heatmap.h"

#include "viz/analysis/access.h"
#include "viz/analysis/bank_picture.h"

#include "model/recorded_copy.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace viz {

using recording::Access;
using recording::SharedTotals;

namespace {

// Caches the costs of the writes of copies. A cost also depends on the addresses that the copy reads, of which only the
// banks matter.
class CopyCosts {
public:
    struct Cost {
        SharedTotals totals;
        uint64_t waits = 0; // conflicts caused by waiting for reads in L1, not by a bank
    };
    // Returns nothing if the read is missing.
    std::optional<Cost> of(const recording::WarpTrace& warp, std::size_t step)
    {
        std::optional<model::CopyPattern> copy = model::copy_at(warp, step);
        if (!copy)
            return std::nullopt;
        if ((copy->mask | copy->idle) == 0)
            return Cost{};
        constexpr uint64_t all_banks = model::banks * model::bank_bytes;
        for (int lane = 0; lane < model::lanes; ++lane) {
            copy->from[lane] %= all_banks;
            copy->to[lane] %= all_banks;
        }
        const auto [entry, is_new] = known.try_emplace({copy->width, copy->mask, copy->idle, copy->from, copy->to});
        if (is_new) {
            const BankPicture picture = bank_picture(*copy);
            entry->second = {totals_of(picture.cost), static_cast<uint64_t>(picture.l1_waits)};
        }
        return entry->second;
    }

private:
    using Addresses = std::array<uint64_t, model::lanes>;
    std::map<std::tuple<int, uint32_t, uint32_t, Addresses, Addresses>, Cost> known;
};

using RowKey = std::tuple<uint32_t, int, uint8_t>; // line, store, load or atomic operation, array

constexpr recording::Op kinds[] = {recording::Op::shared_store, recording::Op::shared_load,
                                   recording::Op::shared_atomic};

int kind_of(recording::Op op)
{
    return op == recording::Op::shared_atomic ? 2 : is_store(op) ? 0 : 1;
}

RowKey key_of(const Access& access)
{
    return {access.line, kind_of(access.op), access.array};
}

} // namespace

Heatmap heatmap(const recording::BlockTrace& block, std::optional<uint32_t> warp)
{
    Heatmap map;
    SharedCosts costs;
    CopyCosts copy_costs;
    std::map<RowKey, std::map<std::size_t, SharedTotals>> rows;
    for (uint32_t w = 0; w < block.warps.size(); ++w) {
        if (warp && *warp != w)
            continue;
        const std::vector<Access>& accesses = block.warps[w].accesses;
        map.steps = std::max(map.steps, accesses.size());
        for (std::size_t step = 0; step < accesses.size(); ++step) {
            const bool copy = accesses[step].op == recording::Op::async_store;
            if (!copy && !has_shared_cost(accesses[step]))
                continue;
            if (!copy) {
                const SharedTotals cost = totals_of(costs.of(accesses[step]));
                map.totals += cost;
                rows[key_of(accesses[step])][step] += cost;
            } else if (auto cost = copy_costs.of(block.warps[w], step)) {
                map.copies += cost->totals;
                cost->totals.conflicts -= cost->waits;
                rows[key_of(accesses[step])][step] += cost->totals;
            }
        }
    }
    for (const auto& [key, cells] : rows) {
        HeatRow row;
        row.line = std::get<0>(key);
        row.op = kinds[std::get<1>(key)];
        row.array = std::get<2>(key);
        for (const auto& [step, totals] : cells) {
            row.cells.push_back({step, totals});
            row.totals += totals;
            map.worst = std::max(map.worst, totals.conflicts);
            map.conflicts += totals.conflicts;
        }
        map.rows.push_back(std::move(row));
    }
    return map;
}

uint32_t worst_warp(const recording::BlockTrace& block, const HeatRow& row, std::size_t step, uint32_t now)
{
    const RowKey row_key{row.line, kind_of(row.op), row.array};
    CopyCosts copy_costs;
    const auto conflicts = [&](uint32_t warp) -> uint64_t {
        if (warp >= block.warps.size() || step >= block.warps[warp].accesses.size())
            return 0;
        const Access& access = block.warps[warp].accesses[step];
        if ((!touches_shared(access.op) && access.op != recording::Op::shared_atomic) || key_of(access) != row_key)
            return 0;
        if (access.op != recording::Op::async_store)
            return static_cast<uint64_t>(shared_cost(access).conflicts);
        const auto cost = copy_costs.of(block.warps[warp], step);
        return cost ? cost->totals.conflicts - cost->waits : 0;
    };
    uint32_t worst = now;
    if (conflicts(now) == 0)
        for (uint32_t warp = 0; warp < block.warps.size(); ++warp)
            if (conflicts(warp) > conflicts(worst))
                worst = warp;
    return worst;
}

const HeatCell* cell_at(const HeatRow& row, std::size_t step)
{
    const auto found = std::ranges::lower_bound(row.cells, step, {}, &HeatCell::step);
    return found != row.cells.end() && found->step == step ? &*found : nullptr;
}

const HeatCell* worst_cell(const HeatRow& row, std::size_t first, std::size_t end)
{
    const HeatCell* worst = nullptr;
    for (auto cell = std::ranges::lower_bound(row.cells, first, {}, &HeatCell::step);
         cell != row.cells.end() && cell->step < end; ++cell)
        if (!worst || cell->totals.conflicts > worst->totals.conflicts)
            worst = &*cell;
    return worst;
}

} // namespace viz
