// Device memory that CountProbe, RecordProbe and PlaceProbe write to, and the conversion of its content. Internal to
// kernels/cuda.
#pragma once

#include "cuda/context.h"
#include "device/probe_state.h"
#include "gemm/size.h"

#include <mutex>
#include <span>
#include <vector>

namespace cuda {

// The blocks whose accesses are recorded in full.
class ChosenBlocks {
public:
    // Duplicates are ignored. Throws kernels::Error with the grid's size if a block lies outside it.
    ChosenBlocks(const Context& context, const recording::Launch& launch, std::span<const recording::Index3> blocks);

    const std::vector<recording::Index3>& blocks() const { return blocks_; }
    const int* numbers() const { return numbers_.as<const int>(); } // in device memory; see CountState::chosen

private:
    std::vector<recording::Index3> blocks_;
    Buffer numbers_;
};

class Counter {
public:
    // `lines` is the number of lines of the source file.
    Counter(const Context& context, const recording::Launch& launch, const ChosenBlocks& chosen, uint32_t lines);

    CountState state() const;

    // Valid after the launch has ended:
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
    // `steps` comes from Counter. Throws kernels::Error if the chosen blocks have too many steps to store.
    Recorder(const Context& context, const recording::Launch& launch, const ChosenBlocks& chosen,
             std::vector<uint32_t> steps, const kernels::OperandShape& C);

    RecordState state() const;

    // Sets owner and blocks; call it after the launch has ended.
    void finish(recording::Recording& result) const;

private:
    std::vector<recording::BlockTrace> traces() const;
    // `warp` is an index over all chosen blocks; `copying` serializes copies from the GPU.
    std::vector<recording::Access> trace_of(uint64_t warp, std::mutex& copying) const;

    const Context& context_;
    const ChosenBlocks& chosen_;
    recording::Launch launch_;
    std::vector<uint32_t> steps_;
    uint32_t capacity_, element_bytes_; // capacity_: steps of the longest warp
    Buffer trace_, overflow_, owner_;
};

class Placer {
public:
    Placer(const Context& context, const recording::Launch& launch);

    PlaceState state() const { return {.times = times_.as<BlockTimes>()}; }

    // Returns the placements of the last launch, after it has ended. Times are relative to the start of the first
    // block.
    std::vector<recording::Placement> placements() const;

private:
    const Context& context_;
    Buffer times_;
};

} // namespace cuda
