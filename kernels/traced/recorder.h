// Collects what a traced kernel reports: totals and owners of the whole launch, and full traces of the chosen blocks.
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
    // The counts of one operating-system thread.
    struct Counts {
        std::vector<recording::Totals> lines; // by line
        recording::Access read;               // read of the copy whose write comes next
    };

    // C is the output array; `blocks` are kept in full and must be within the grid.
    Recorder(const recording::Launch& launch, const recording::Array& C, std::span<const recording::Index3> blocks);

    // Accesses taken from now on belong to the stage's second launch: they are counted but not kept, and own no
    // elements.
    void begin_second() { is_second_ = true; }

    // Takes the accesses of one warp, in order, possibly in several pieces. Different blocks may come from different
    // threads. Throws kernels::Error if more accesses must be kept than a recording file can hold.
    void take(uint64_t block, uint32_t warp, std::span<const recording::Access> accesses, Counts& counts);

    // Adds one thread's counts to the launch's.
    void merge(const Counts& counts);

    uint64_t steps() const { return steps_; } // number of steps kept so far

    // Moves lines, owner and blocks into the recording.
    void finish(recording::Recording& result);

private:
    void own(uint64_t block, uint32_t warp, const recording::Access& store);

    recording::Launch launch_;
    uint32_t element_bytes_; // of C
    bool is_second_ = false;
    std::vector<uint32_t> owner_;
    std::map<uint64_t, std::size_t> chosen_; // maps a block's linear index to an index into traces_
    std::vector<recording::BlockTrace> traces_;
    std::atomic<uint64_t> steps_ = 0;
    std::mutex mutex_;
    std::vector<recording::Totals> total_; // by line
};

} // namespace traced
