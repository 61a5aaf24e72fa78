// Collects what the traced kernel reports: totals and owners of the whole launch, full traces of chosen blocks.
#pragma once

#include "recording/recording.h"

#include <atomic>
#include <map>
#include <mutex>
#include <span>
#include <vector>

namespace traced {

class Recorder {
public:
    // What one operating-system thread has counted.
    struct Counts {
        std::vector<recording::Totals> lines; // by line
        recording::Access read;               // of the copy whose write comes next
    };

    // C: the output; blocks: those to keep in full, each within the grid.
    Recorder(const recording::Launch& launch, const recording::Array& C, std::span<const recording::Index3> blocks);

    // What is taken from now on belongs to the stage's second launch: it is counted, not kept, and owns nothing.
    void begin_second() { is_second_ = true; }

    // The accesses of one warp, in order, possibly in several pieces. Different blocks may come from different threads.
    // Throws kernels::Error where more are to be kept than a recording file can hold.
    void take(uint64_t block, uint32_t warp, std::span<const recording::Access> accesses, Counts& counts);

    // Adds one thread's counts to the launch's.
    void merge(const Counts& counts);

    uint64_t steps() const { return steps_; } // of the blocks that are kept in full, so far

    // Moves lines, owner and blocks into the recording.
    void finish(recording::Recording& result);

private:
    void own(uint64_t block, uint32_t warp, const recording::Access& store);

    recording::Launch launch_;
    uint32_t element_bytes_; // of C
    bool is_second_ = false;
    std::vector<uint32_t> owner_;
    std::map<uint64_t, std::size_t> chosen_; // linear block -> index into traces_
    std::vector<recording::BlockTrace> traces_;
    std::atomic<uint64_t> steps_ = 0;
    std::mutex mutex_;
    std::vector<recording::Totals> total_; // by line
};

} // namespace traced
