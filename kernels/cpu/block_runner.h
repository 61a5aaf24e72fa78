// Runs the blocks of a launch, one after another, on the operating-system thread that owns it.
#pragma once

#include "cpu/cuda_on_cpu.h"
#include "cpu/fiber_pool.h"
#include "cpu/recorder.h"
#include "cpu/warp_buffer.h"

namespace cpu {

class BlockRunner {
public:
    // recorder may be null; body is then the plain form.
    BlockRunner(ThreadBody body, const recording::Launch& extent, const std::byte* arguments, Recorder* recorder);
    ~BlockRunner();
    BlockRunner(const BlockRunner&) = delete;
    BlockRunner& operator=(const BlockRunner&) = delete;

    void run(uint64_t block); // linear index
    void finish();            // after the last block: hands the counts to the recorder

    // Called from the fiber that runs.
    void wait();
    void access(const recording::Access& made, uint64_t offset, bool active);

private:
    enum class State : uint8_t { running, at_barrier, returned };

    bool run_warp(uint32_t warp); // true while one of its lanes has not returned
    void hand_over(uint32_t warp);

    recording::Launch extent_;
    Recorder* recorder_;
    FiberPool fibers_;
    std::vector<Dim3> thread_index_;
    std::vector<State> state_; // of each thread of the block
    uint64_t block_ = 0;
    uint32_t thread_ = 0; // linear, of the fiber that runs
    WarpBuffer buffer_;
    Recorder::Counts counts_;
};

} // namespace cpu
