// The work of two rungs at one scale: how many cycles each unit of an SM is busy per 1,000 multiplications, beside the
// cycles that they took. Pure functions.
#pragma once

#include "viz/analysis/comparison.h"
#include "viz/analysis/counted.h"
#include "viz/text/message.h"

#include "recording/gpu.h"

#include <optional>
#include <vector>

namespace viz {

// What is counted, and how many of it an SM serves in a cycle.
enum class Work : uint8_t {
    time,         // cycles that passed
    instructions, // of warps, issued by four schedulers: 4
    wavefronts,   // of shared memory: 1
    lines,        // of 128 bytes that an instruction touches in global memory, looked up in L1 one after another: 1
};
inline constexpr int work_count = 4;

double per_cycle(Work work);

// What a block's recording tells beyond KernelFigures.
struct RecordedWork {
    std::optional<double> lines; // that its warps touch, per 1,000 multiplications; none where it multiplies nothing
    bool unseen = false;    // bulk copies, or tensor cores that read shared memory: no lane's addresses say what moves
    bool fragments = false; // the same of WMMA's loads; counters have these
};
RecordedWork recorded_work(const recording::Recording& recording, const recording::BlockTrace& block);

// One side of a comparison.
struct WorkOf {
    const ComparedRung& rung;
    const HardwareFigures* counted = nullptr; // by a GPU; null: nobody counted it
    RecordedWork recorded;
};

struct WorkPair {
    Work work = Work::time;
    std::optional<double> first, second; // per 1,000 multiplications
    bool executed = false;               // as counted by a GPU; else as the source says
    double cycles(double count) const { return count / per_cycle(work); }
};

// In the order of Work; what neither has is left out. Executed where that is known of both. Time needs a GPU's clock.
std::vector<WorkPair> work_of(const WorkOf& first, const WorkOf& second, const recording::GpuProperties* gpu);

// FLOP per byte of shared memory, each wavefront as the 128 bytes that it could bring; nothing where it uses none, or where
// nobody knows.
std::optional<double> shared_intensity(const WorkOf& stage);

// The work whose change, in cycles, says most about the difference in speed: the largest that goes with it. Nothing where
// none does, or where the speeds are not known or alike.
std::optional<Work> main_cause(const std::vector<WorkPair>& pairs);

// "1.15 × as fast as vectorized: 6.35 shared wavefronts instead of 10.5". A cause that explains less than half of the
// difference gives way to local memory, where that goes with it, or is not named as the only one.
Rich step_headline(const ComparedRung& first, const ComparedRung& second, const std::vector<WorkPair>& pairs);

} // namespace viz
