// What the probes write to: device memory for CountProbe, RecordProbe and PlaceProbe, and what is read back from it. Internal to
// kernels/cuda.
#pragma once

#include "cuda/context.h"
#include "device/probe_state.h"
#include "gemm/operation.h"

#include <mutex>
#include <span>
#include <vector>

namespace cuda {

// The blocks that are recorded in full.
class ChosenBlocks {
public:
    // Blocks named twice count once. Throws kernels::Error naming the grid when a block lies outside it.
    ChosenBlocks(const Context& context, const recording::Launch& launch, std::span<const recording::Index3> blocks);

    const std::vector<recording::Index3>& blocks() const { return blocks_; }
    const int* numbers() const { return numbers_.as<const int>(); } // on the device, see CountState::chosen

private:
    std::vector<recording::Index3> blocks_;
    Buffer numbers_;
};

class Counter {
public:
    // `lines`: the number of lines of the source file.
    Counter(const Context& context, const recording::Launch& launch, const ChosenBlocks& chosen, uint32_t lines);

    CountState state() const;

    // After the launch has ended:
    std::vector<recording::LineTotals> totals() const;
    std::vector<uint32_t> steps() const; // per warp of the chosen blocks

private:
    const Context& context_;
    const ChosenBlocks& chosen_;
    uint32_t lines_, replicas_;
    Buffer totals_, steps_;
};

class Recorder {
public:
    // `steps`: as Counter found them. Throws kernels::Error when the chosen blocks are too much to keep.
    Recorder(const Context& context, const recording::Launch& launch, const ChosenBlocks& chosen,
             std::vector<uint32_t> steps, const kernels::OperandShape& C);

    RecordState state() const;

    // After the launch has ended: sets owner and blocks.
    void finish(recording::Recording& result) const;

private:
    std::vector<recording::BlockTrace> traces() const;
    // `warp`: of all the chosen blocks'; `copying`: copies from the GPU are made one at a time.
    std::vector<recording::Access> trace_of(uint64_t warp, std::mutex& copying) const;

    const Context& context_;
    const ChosenBlocks& chosen_;
    recording::Launch launch_;
    std::vector<uint32_t> steps_;
    uint32_t capacity_, element_bytes_; // capacity: the steps of the longest warp
    Buffer trace_, overflow_, owner_;
};

class Placer {
public:
    Placer(const Context& context, const recording::Launch& launch);

    PlaceState state() const { return {.times = times_.as<BlockTimes>()}; }

    // Of the last launch, after it has ended: per block, from the first block's start on.
    std::vector<recording::Placement> placements() const;

private:
    const Context& context_;
    Buffer times_;
};

} // namespace cuda
