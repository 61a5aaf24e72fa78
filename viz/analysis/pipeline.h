// What overlaps what in a block: its copies into shared memory, its waits and its computation, beside each other. Pure
// functions.
#pragma once

#include "viz/analysis/block_order.h"
#include "viz/analysis/timeline.h"

#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace viz {

struct PipelineBar {
    enum class Kind : uint8_t { copy, wait, barrier, compute, store };
    Kind kind = Kind::compute;
    std::size_t from = 0, end = 0; // ticks of the block's order, from <= tick < end
    int k_tile = -1;
    std::size_t step = 0; // of the warp, the first one of it
    uint32_t line = 0;
    bool awaited = true; // copy: somebody waits for it; else its end is not known
    friend bool operator==(const PipelineBar&, const PipelineBar&) = default;
};

// Warps that take the same steps. A copy is under way from its first load on until a wait says that it has come: that of
// the thread's group (cp.async), at its mbarrier (TMA), or until its values are stored (through registers).
struct PipelineRole {
    std::vector<uint32_t> warps;
    uint32_t shown = 0;                           // the warp whose steps these are
    std::vector<std::vector<PipelineBar>> copies; // rows, so that no two in a row overlap
    std::vector<PipelineBar> waits, work;         // work: computation, and storing C
};

struct Pipeline {
    std::vector<PipelineRole> roles; // without warps that neither copy nor compute
    std::size_t ticks = 0;
    int k_tiles = 0;
    int overlapped = 0; // k-tiles during whose computation a copy is under way
};

// `chosen`: the warp that stands for its role. Nothing where the block uses no shared tiles.
Pipeline pipeline_of(const recording::Recording& recording, const recording::BlockTrace& block, const BlockOrder& order,
                     uint32_t chosen);

// k-tiles whose copies are under way at a tick, ascending; and those that are computed.
std::vector<int> copied_at(const Pipeline& pipeline, std::size_t tick);
std::vector<int> computed_at(const Pipeline& pipeline, std::size_t tick);

// How far each k-tile has come at a tick.
enum class TileState : uint8_t {
    ahead,
    copied,
    here,
    computed,
    done
}; // copied, computed: now; here: waits in shared memory
std::vector<TileState> tile_states(const Pipeline& pipeline, std::size_t tick);

// The step at which a warp begins to compute a k-tile, or to copy it where it computes none; nothing: it does neither.
std::optional<std::size_t> step_of_tile(const Pipeline& pipeline, uint32_t warp, int k_tile);

} // namespace viz
