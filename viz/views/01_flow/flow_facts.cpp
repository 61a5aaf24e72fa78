#include "viz/views/01_flow/flow_facts.h"

#include <algorithm>

namespace viz {

void FlowFacts::follow_warp(const ShownStage& stage, const Focus& focus)
{
    if (!tiling || recording_ != stage.recording || &tiling->block() != focus.block)
        tiling = std::make_unique<BlockTiling>(stage.recording, *focus.block);
    recording_ = stage.recording;
    warp_ = focus.warp;
    phases = viz::phases(*recording_, *warp_);
    lane_.reset();
    compute_phase_.reset();
    slice = {};
    const auto& arrays = recording_->arrays;
    in_registers = arrays.size() > 2 && arrays[0].cols > 0 && arrays[0].cols == arrays[1].rows && !is_wmma(*warp_);
}

std::optional<uint32_t> FlowFacts::added_up_to() const
{
    const uint32_t K = recording_->arrays[0].cols;
    const auto& band = tiling->bands()[0].bounds;
    if (!in_registers || !band || band->col != 0 || band->cols != K)
        return {};
    const Phase& now = phase();
    if (now.kind == PhaseKind::store)
        return K;
    if (!fragments)
        return {};
    for (const Phase* before = &now; now.kind != PhaseKind::compute && before-- != phases.data();)
        if (before->kind == PhaseKind::compute)
            return before->k_tile == now.k_tile ? std::nullopt : std::optional(fragments->k);
    return fragments->k;
}

void FlowFacts::find_slice(std::size_t warp)
{
    const auto at = static_cast<std::size_t>(&phase() - phases.data());
    const auto computes = compute_phase_of(phases, at);
    if (lines_below || !computes || computes == compute_phase_)
        return;
    compute_phase_ = computes;
    const recording::WarpTrace& trace = *warp_;
    const BlockOrder& order = tiling->contents().order();
    const Phase& phase = phases[*computes];
    const std::size_t last = std::min(phase.first + phase.count, trace.accesses.size()) - 1;
    tiling->contents().advance_to(order.tick(static_cast<uint32_t>(warp), last));
    std::vector<std::vector<Cell>> held = held_by(*tiling, touched(*recording_, tiling->block(), *computes, warp));
    for (std::size_t i = 0; i < slice.size(); ++i)
        slice[i] = cover(std::move(held[i]));
}

void FlowFacts::update(const ShownStage& stage, const Focus& focus, uint32_t lane, double seconds, bool moving)
{
    const bool same_warp = recording_ == stage.recording && warp_ == focus.warp;
    const bool same_step = same_warp && step_ == focus.step && lane_.has_value();
    if (!same_warp)
        follow_warp(stage, focus);
    if (same_step && lane_ == lane)
        return;
    const std::size_t warp = focus.warp_index;
    if (!same_step) {
        step_ = focus.step;
        began = moving && same_warp ? seconds : -1e9;
        ways = ways_of_step(*recording_, *warp_, step_, tiling->bulk(warp));
        lines_below = !tiling->uses_shared();
        rows = lines_below ? MemoryRows::of_lines(ways) : MemoryRows::of_shared(*recording_, *warp_, step_);
        find_slice(warp);
    }
    tiling->contents().advance_to(tiling->contents().order().tick(focus.warp_index, step_));
    lane_ = lane;
    lit = lit_by(*tiling, warp, step_, lane);
    const uint32_t thread = focus.warp_index * recording::warp_size + lane;
    results = tiling->owned_by(thread, thread + 1);
    thread_tile = cover(results);
    fragments = fragments_at(tiling->contents(), *recording_, *focus.block, warp, phases, step_);
    tiling->contents().advance_to(tiling->contents().order().tick(focus.warp_index, step_));
}

} // namespace viz
