// Divides the recorded accesses of a warp into the phases of its k-tiles. Pure functions.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace viz {

// The purpose of a phase. See Phase.
enum class PhaseKind { load, wait, barrier, compute, store };

// A run of consecutive accesses ("steps") of one warp with one purpose:
// - load: global loads and shared stores, or started copies
// - wait: for copies, or at an mbarrier
// - barrier: one __syncthreads()
// - compute: shared loads and tensor core steps, or, in a kernel without shared memory, the global loads inside the
//   loop
// - store: everything after the last compute phase (reads and writes of C)
//
// A k-tile is the part of K that one iteration of the loop over K processes. In a pipeline, loads of a later k-tile may
// interrupt its computation, and fragments may be read ahead across a barrier. A compute phase belongs to the k-tile
// that it reads.
struct Phase {
    PhaseKind kind = PhaseKind::load;
    int k_tile = 0;        // 0-based: the k-tile that is computed now, or next
    std::size_t first = 0; // index of the first step
    std::size_t count = 0;
    // For a load phase: the first k-tile that it loads, 0-based. -1 if none, and in kernels without shared tiles.
    int fetched = -1;
};

std::vector<Phase> phases(const recording::Recording& recording, const recording::WarpTrace& warp);

// Returns whether the compute phases are arithmetic: those of a product according to the recording, or of tensor cores.
// For other kernels the recording only shows reads in these phases (a transpose does nothing else), and not how the
// values are used.
bool computes(const recording::Recording& recording, const recording::WarpTrace& warp);

// Returns the k-tile that each step stores or copies into shared memory; -1 for other steps.
std::vector<int> brought_by_step(const recording::Recording& recording, const recording::WarpTrace& warp);

// Returns for each step whether it reads a fragment ahead that is never used: after the last k-tile, from a shared tile
// that was read before and not refilled since.
std::vector<bool> read_unused(const recording::Recording& recording, const recording::WarpTrace& warp);

// Returns the number of k-tiles that the phases compute.
int k_tiles_of(const std::vector<Phase>& phases);

// Returns the maximum number of k-tiles by which loads are ahead of the next computation; 0 in a kernel that alternates
// loading and computing.
int k_tiles_ahead(const std::vector<Phase>& phases);

// Returns the number of k-tiles in flight, including the one being computed: the stages of a ring of shared tiles, or
// the distance by which computing warps load ahead. Returns nothing if no operand passes through shared memory.
std::optional<int> k_tiles_under_way(const recording::Recording& recording, const recording::BlockTrace& block);

// Returns the phase that contains a step. `phases` must not be empty and must cover the step.
const Phase& phase_at(const std::vector<Phase>& phases, std::size_t step);

// Equal shared tiles with numbered names, "As[0]" to "As[2]", are the stages of the ring "As". Any other tile is a ring
// with one stage.
std::string_view ring_name(const recording::Array& array);
struct RingPlace {
    int stage = 0, stages = 1;
};
RingPlace ring_place(const recording::Recording& recording, std::size_t array);

} // namespace viz
