// Runs the blocks of a launch one after another on the current operating-system thread.
#pragma once

#include "cpu/async_copies.h"
#include "cpu/fiber_pool.h"
#include "cpu/warp_meeting.h"
#include "device/cuda_on_cpu.h"
#include "traced/builder.h"

namespace cpu {

class BlockRunner {
public:
    // With a null recorder, nothing is recorded.
    BlockRunner(ThreadBody body, const recording::Launch& extent, const std::byte* arguments,
                traced::Recorder* recorder);
    ~BlockRunner();
    BlockRunner(const BlockRunner&) = delete;
    BlockRunner& operator=(const BlockRunner&) = delete;

    void run(uint64_t block); // takes the linear index
    void finish();            // after the last block: passes the counts to the recorder

    // Called from the running fiber.
    void wait();
    void meet(const Collective& collective, void* operands);
    AsyncCopies& copies() { return copies_[thread_]; }
    void access(const recording::Access& made, uint64_t offset, bool active);

private:
    enum class State : uint8_t { running, at_barrier, at_collective, returned };

    bool run_warp(uint32_t warp); // returns true while any of its lanes has not returned
    bool run_lanes(uint32_t first, uint32_t last);
    void thread_returned();
    void release(uint32_t first);
    std::string elsewhere(uint32_t thread) const;
    void hand_over(uint32_t warp);

    recording::Launch extent_;
    traced::Recorder* recorder_;
    FiberPool fibers_;
    std::vector<Dim3> thread_index_;
    std::vector<State> state_; // per thread of the block
    uint64_t block_ = 0;
    uint32_t thread_ = 0; // linear index of the running fiber's thread
    WarpBuffer buffer_;
    WarpMeeting meeting_;
    std::vector<AsyncCopies> copies_; // per thread of the block
    traced::Recorder::Counts counts_;
};

} // namespace cpu
