// The work of two rungs on one scale: the cycles for which it occupies a unit of an SM per 1,000 multiplications, next
// to the elapsed cycles. Pure functions.
#pragma once

#include "viz/analysis/comparison.h"
#include "viz/analysis/counted.h"
#include "viz/text/message.h"

#include "recording/gpu.h"

#include <optional>
#include <vector>

namespace viz {

// The kinds of work, each with the number that an SM processes per cycle.
enum class Work : uint8_t {
    time,         // elapsed cycles
    instructions, // warp instructions, issued by four schedulers: 4 per cycle
    wavefronts,   // of shared memory: 1 per cycle
    // 128-byte lines that an instruction touches in global memory: 1 per cycle, because L1 looks them up one after
    // another.
    lines,
};
inline constexpr int work_count = 4;

double per_cycle(Work work);

// Facts from a block's recording that KernelFigures lacks.
struct RecordedWork {
    // Lines that the block's warps touch, per 1,000 multiplications. Empty if nothing is multiplied.
    std::optional<double> lines;
    // Bulk copies or tensor cores move data that is in no lane's addresses.
    bool unseen = false;
    bool fragments = false; // WMMA moves data that is in no lane's addresses, but that counters include
};
RecordedWork recorded_work(const recording::Recording& recording, const recording::BlockTrace& block);

// One side of a comparison.
struct StageWork {
    const ComparedRung& rung;
    const HardwareFigures* counted = nullptr; // GPU counters; null if not counted
    RecordedWork recorded;
};

// One kind of work of both stages.
struct WorkPair {
    Work work = Work::time;
    std::optional<double> first, second; // per 1,000 multiplications
    bool executed = false;               // counted by a GPU; otherwise as written in the source
    double cycles(double count) const { return count / per_cycle(work); }
};

// Returns pairs in the order of Work, without work that is missing in both stages. Uses counted values if both stages
// have them. Time needs the GPU's clock.
std::vector<WorkPair> work_of(const StageWork& first, const StageWork& second, const recording::GpuProperties* gpu);

// Returns FLOP per byte of shared memory, at 128 bytes per wavefront. Returns nothing if no shared memory is used, or
// if its use is not known.
std::optional<double> shared_intensity(const StageWork& stage);

// Returns the work that explains most of the difference in speed: the one whose cycles changed most in the same
// direction. Returns nothing if there is none, or if the speeds are unknown or equal.
std::optional<Work> main_cause(const std::vector<WorkPair>& pairs);

// Returns "1.15 × as fast as vectorized: 6.35 shared wavefronts instead of 10.5". If this work explains less than half
// of the difference, a matching change of local memory is named instead. Without such a change, the sentence adds that
// warps wait more or less.
Rich step_headline(const ComparedRung& first, const ComparedRung& second, const std::vector<WorkPair>& pairs);

} // namespace viz
