#include "viz/views/10_tiling/tiling_facts.h"

#include <algorithm>

namespace viz {

void TilingFacts::update(const ShownStage& stage, const Focus& focus, uint32_t lane)
{
    const bool same_block = tiling && recording == stage.recording && &tiling->block() == focus.block;
    if (!same_block) {
        if (recording != stage.recording)
            sums = std::make_unique<RunningSums>(*stage.recording);
        recording = stage.recording;
        tiling = std::make_unique<BlockTiling>(recording, *focus.block);
        now = used = {};
        computes =
            std::ranges::any_of(focus.block->warps, [&](const auto& one) { return viz::computes(*recording, one); });
        guards = guard_use(stage.recording->launch, *focus.block);
        product_of.reset();
        barriers.reset();
        guarding.reset();
        summing.drop();
    }
    if (!same_block || warp != focus.warp) {
        warp = focus.warp;
        phases = tiling->phases(focus.warp_index);
        pipeline = pipeline_of(*recording, *focus.block, tiling->contents().order(), focus.warp_index);
        k_tiles = tiles_along_k(*recording, *focus.block, tiles());
        phase.reset();
        compute_phase.reset();
        step.reset();
        warp_results = tiling->owned_by(focus.warp_index * 32, focus.warp_index * 32 + 32);
        std::ranges::sort(warp_results);
        warp_tile = cover(warp_results);
        finder.reset();
        if (sums_in_registers(*recording, *warp))
            finder.emplace(tiling->contents(), *recording, *focus.block, focus.warp_index, phases);
    }
    if (auto done = summing.take())
        guarding = *done;
    if (step == focus.step && of_lane == lane)
        return;
    step = focus.step;
    of_lane = lane;
    const auto wanted = static_cast<std::size_t>(&phase_at(phases, focus.step) - phases.data());
    if (phase != wanted && (tiling->uses_shared() || phases[wanted].kind != PhaseKind::compute))
        now = tiling->touched_in(wanted, focus.warp_index);
    phase = wanted;
    const auto computing = compute_phase_of(phases, wanted);
    if (tiling->uses_shared() && computing && computing != compute_phase)
        used = *computing == wanted ? now : tiling->touched_in(*computing, focus.warp_index);
    compute_phase = computing;
    added = finder ? added_up_to(*tiling, phases, current(), finder->at(focus.step)) : std::nullopt;
    const BlockOrder& order = tiling->contents().order();
    tiling->contents().advance_to(order.tick(focus.warp_index, focus.step));
    find_slice();
    fill_tiles(order.tick(focus.warp_index, current().first));
    find_races(focus);
    lit = lit_by(*tiling, focus.warp_index, focus.step, lane);
    const uint32_t thread = focus.warp_index * 32 + lane;
    if (product_of != thread) {
        product_of = thread;
        thread_tile = cover(tiling->owned_by(thread, thread + 1));
        uint32_t ks = 0;
        for (const KTile& tile : k_tiles)
            ks += tile.number >= 0 ? tile.count : 0;
        product = thread_product(*tiling, thread, ks);
    }
    for (std::size_t i = 0; i < walk.size(); ++i)
        walk[i] = tiling->uses_shared() ? std::vector<CellRect>()
                                        : cover(walked(*tiling, *warp, focus.step, lane, static_cast<uint8_t>(i)));
}

bool TilingFacts::interrupts() const
{
    return current().kind == PhaseKind::load && current().fetched > current().k_tile &&
           std::any_of(phases.begin(), phases.begin() + static_cast<std::ptrdiff_t>(*phase), [&](const Phase& before) {
               return before.kind == PhaseKind::compute && before.k_tile == current().k_tile;
           });
}

void TilingFacts::find_races(const Focus& focus)
{
    races.reset();
    if (focus.access().op != recording::Op::barrier)
        return;
    if (!barriers) {
        barriers = std::make_shared<BlockBarriers>(*recording, *focus.block);
        if (!barriers->missing())
            summing.start([kept = recording, which = barriers] { return which->summary(); });
    }
    if (const auto barrier = barriers->at(focus.warp_index, focus.step); barrier && !barriers->missing())
        races = barriers->races(*barrier, focus.warp_index);
}

void TilingFacts::find_slice()
{
    slice = {};
    slice_end = {};
    if (used.arrays.empty() || current().kind == PhaseKind::store)
        return;
    std::vector<std::vector<Cell>> held = held_by(*tiling, used);
    for (std::size_t i = 0; i < slice.size(); ++i) {
        for (const Cell& cell : held[i])
            slice_end[i] = std::max(slice_end[i], (i == 0 ? cell.col : cell.row) + 1);
        slice[i] = cover(std::move(held[i]));
    }
}

void TilingFacts::fill_tiles(std::size_t since)
{
    const bool loading = current().kind == PhaseKind::load, storing = current().kind == PhaseKind::store;
    filled.assign(recording->arrays.size(), {});
    for (std::size_t i = 0; i < filled.size(); ++i) {
        const recording::Array& tile = recording->arrays[i];
        const bool in_use = i < used.arrays.size() && used.arrays[i].cells_read > 0;
        std::array<std::vector<Cell>, classes> cells;
        for (uint32_t row = 0; tile.space == recording::Space::shared && row < tile.rows; ++row)
            for (uint32_t col = 0; col < tile.cols; ++col) {
                const Origin origin = tiling->contents().at(static_cast<uint8_t>(i), {row, col});
                if (origin.kind == Origin::Kind::unknown)
                    continue;
                const bool element = origin.kind == Origin::Kind::element && origin.array < slice_end.size();
                const uint32_t k = origin.array == 0 ? origin.cell.col : origin.cell.row;
                const bool later = element && k >= slice_end[origin.array];
                const bool current_one = loading ? origin.stored >= since : in_use && !later;
                cells[storing        ? older
                      : !element     ? outside
                      : current_one  ? current_slice
                      : later        ? ahead
                      : !in_use      ? older
                      : interrupts() ? meanwhile
                                     : ahead]
                    .push_back({row, col});
            }
        for (std::size_t part = 0; part < cells.size(); ++part)
            filled[i][part] = cover(std::move(cells[part]));
    }
}

} // namespace viz
