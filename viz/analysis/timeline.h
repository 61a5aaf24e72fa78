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

// Consecutive accesses ("steps") of one warp that have one purpose:
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
    int k_tile = 0;        // the k-tile that is computed now or next, 0-based
    std::size_t first = 0; // index of the first step
    std::size_t count = 0;
    // For a load phase: the first k-tile that it loads, 0-based. -1 for other phases, and in kernels without shared
    // tiles.
    int fetched = -1;
};

std::vector<Phase> phases(const recording::Recording& recording, const recording::WarpTrace& warp);

// Returns whether the compute phases are arithmetic. This is known for products and tensor cores. In other kernels,
// such as a transpose, the recording shows reads but not how the values are used.
bool computes(const recording::Recording& recording, const recording::WarpTrace& warp);

// Returns for each step the k-tile that it stores or copies into shared memory, or -1.
std::vector<int> brought_by_step(const recording::Recording& recording, const recording::WarpTrace& warp);

// Returns for each step whether it reads a fragment that is never used: after the last k-tile, from a shared tile that
// was not refilled since it was last read.
std::vector<bool> read_unused(const recording::Recording& recording, const recording::WarpTrace& warp);

// Returns the number of k-tiles that the phases compute.
int k_tiles_of(const std::vector<Phase>& phases);

// Returns by how many k-tiles loads are ahead of the next computation at most. Returns 0 for a kernel that alternates
// loading and computing.
int k_tiles_ahead(const std::vector<Phase>& phases);

// Returns the number of k-tiles in flight, including the one being computed. It is the number of stages in a ring of
// shared tiles, or the distance by which computing warps load ahead. Returns nothing if no operand passes through
// shared memory.
std::optional<int> k_tiles_under_way(const recording::Recording& recording, const recording::BlockTrace& block);

// The k-tiles whose copies are under way from step `first` until before step `end` of a warp.
struct CopiesUnderWay {
    std::size_t first = 0, end = 0;
    std::vector<int> k_tiles; // ascending, never empty
    friend bool operator==(const CopiesUnderWay&, const CopiesUnderWay&) = default;
};

// Returns disjoint stretches, ascending. A copy is under way from the phase that starts it until the last wait before
// the computation of its k-tile, or until that computation if the warp does not wait. Omits copies for other warps,
// whose end the phases do not have.
std::vector<CopiesUnderWay> copies_under_way(const std::vector<Phase>& phases);

// Returns the phase that contains a step. Requires that some phase does.
const Phase& phase_at(const std::vector<Phase>& phases, std::size_t step);

// Returns the ring that a shared tile belongs to. Equal tiles with numbered names, "As[0]" to "As[2]", are the stages
// of the ring "As". Any other tile is a ring with one stage.
std::string_view ring_name(const recording::Array& array);
struct RingPlace {
    int stage = 0, stages = 1;
};
RingPlace ring_place(const recording::Recording& recording, std::size_t array);

} // namespace viz
