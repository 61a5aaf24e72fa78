// What a warp does when, from its recorded accesses: the phases of its k-tiles. Pure functions.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace viz {

enum class PhaseKind { load, wait, barrier, compute, store };

// A run of consecutive accesses ("steps") of one warp that serve one purpose.
// load: global loads and shared stores, or copies that are started; wait: for copies, or at an mbarrier; barrier: one
// __syncthreads(); compute: shared loads and tensor-core steps (or, in a kernel without shared memory, the global loads
// inside the loop); store: what follows the last compute phase (C read and written).
//
// A k-tile is what a pass of the loop over K computes on. In a pipeline its computation may be interrupted by loads of
// a later k-tile, and fragments may be read ahead across a barrier: a phase is counted to the k-tile that it reads.
struct Phase {
    PhaseKind kind = PhaseKind::load;
    int k_tile = 0;        // 0-based: that is being computed, or will be next
    std::size_t first = 0; // step
    std::size_t count = 0;
    int fetched = -1; // load: the first k-tile that it brings, 0-based; -1: none, or in a kernel without shared tiles
};

std::vector<Phase> phases(const recording::Recording& recording, const recording::WarpTrace& warp);

// Whether its phases of kind compute are arithmetic: of a product, as the recording says, or on tensor cores. Any other kernel is
// only seen to read there: a transpose does nothing else, and what becomes of what was read no access says.
bool computes(const recording::Recording& recording, const recording::WarpTrace& warp);

// The k-tile that each step stores in shared memory, or has copied there; -1 for any other step.
std::vector<int> brought_by_step(const recording::Recording& recording, const recording::WarpTrace& warp);

// Whether each step reads a fragment ahead that is never used: after the last k-tile, of a shared tile that has been read
// before and not been filled again.
std::vector<bool> read_unused(const recording::Recording& recording, const recording::WarpTrace& warp);

// How many k-tiles the phases compute on.
int k_tiles_of(const std::vector<Phase>& phases);

// By how many k-tiles loads are ahead of the one that is computed next, at most; 0 in a kernel that loads, then computes.
int k_tiles_ahead(const std::vector<Phase>& phases);

// How many k-tiles are under way together, the one that is computed among them: the stages of a ring of shared tiles, else by
// how far the warps that compute load ahead. Nothing where no operand goes through shared memory.
std::optional<int> k_tiles_under_way(const recording::Recording& recording, const recording::BlockTrace& block);

// The phase that holds a step; phases must not be empty and must cover the step.
const Phase& phase_at(const std::vector<Phase>& phases, std::size_t step);

// Shared tiles that are alike and numbered, "As[0]" to "As[2]", are the stages of a ring, "As". Any other is a ring of one.
std::string_view ring_name(const recording::Array& array);
struct RingPlace {
    int stage = 0, stages = 1;
};
RingPlace ring_place(const recording::Recording& recording, std::size_t array);

} // namespace viz
