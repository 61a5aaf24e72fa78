// Shows which activities of a block overlap: its copies into shared memory, its waits and its computation. Pure
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

// One activity of a warp over a range of ticks.
struct PipelineBar {
    enum class Kind : uint8_t { copy, wait, barrier, compute, store };
    Kind kind = Kind::compute;
    std::size_t from = 0, end = 0; // ticks of BlockOrder, from <= tick < end
    int k_tile = -1;
    std::size_t step = 0; // the bar's first step in its warp
    uint32_t line = 0;
    bool awaited = true; // for a copy: a thread waits for it; otherwise its end is not known
    friend bool operator==(const PipelineBar&, const PipelineBar&) = default;
};

// A group of warps that take the same steps. A copy is in flight from its first load until a wait confirms its arrival:
// the wait for the thread's group (cp.async), the wait at its mbarrier (TMA), or the stores of the loaded values
// (copies through registers).
struct PipelineRole {
    std::vector<uint32_t> warps;
    uint32_t shown = 0;                           // the warp whose steps are shown
    std::vector<std::vector<PipelineBar>> copies; // copies in one row do not overlap
    std::vector<PipelineBar> waits, work;         // work: computing, and storing C
};

// The activities of a block's warps by role.
struct Pipeline {
    std::vector<PipelineRole> roles; // without warps that neither copy nor compute
    std::size_t ticks = 0;
    int k_tiles = 0;
    bool asynchronous = false; // copies go straight to shared memory, and a wait confirms them
    int overlapped = 0;        // k-tiles during whose computation a copy is in flight
};

// `chosen` is the warp shown for its role. Returns an empty pipeline if the block uses no shared tiles.
Pipeline pipeline_of(const recording::Recording& recording, const recording::BlockTrace& block, const BlockOrder& order,
                     uint32_t chosen);

// Returns the number of ticks to show if `numbers` numbers fit side by side. Most computations then have room for the
// number of their k-tile. At least two k-tiles are shown.
double ticks_with_room(const Pipeline& pipeline, double numbers);

// Progress of a k-tile at a tick.
enum class TileState : uint8_t {
    ahead,
    copied,
    here,
    computed,
    done
}; // copied, computed: in progress; here: waiting in shared memory
std::vector<TileState> tile_states(const Pipeline& pipeline, std::size_t tick);

// Returns the step at which a warp begins to compute a k-tile, or to copy it if another warp computes it. Returns
// nothing if it does neither.
std::optional<std::size_t> step_of_tile(const Pipeline& pipeline, uint32_t warp, int k_tile);

} // namespace viz
