// Builds the recording of a kernel whose machine instructions are observed, by the PTX machine or by a tool on a GPU.
// The observer passes each step of each warp with the addresses of its lanes. The builder finds the arrays at these
// addresses, counts the accesses of the whole launch, and keeps those of the chosen blocks.
#pragma once

#include "model/access_cost.h"
#include "recording/recording.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace traced {

// One machine instruction executed by one warp. An asynchronous copy is two steps: its read, then its write.
struct Step {
    recording::Op op = recording::Op::barrier;
    uint8_t width = 0; // bytes per lane; for async_wait: the number of groups that may still be pending
    recording::Transposed transposed = recording::Transposed::unknown;
    // The memory that WMMA loads and stores and both steps of a bulk copy access, since they can access either. It is
    // `shared` for a wgmma that reads an operand from shared memory.
    recording::Space space = recording::Space::global;
    // If not 0, this step is a part of a bulk copy's write to global memory (bulk_store): this many bytes from its
    // address on. Its lane becomes their owner. It is not a step of the recording, which has the whole copy as one
    // step.
    uint32_t bytes = 0;
    // For the write of a bulk copy: the bytes of shared memory that it fills or reads, or 0 if unknown.
    uint32_t copied = 0;
    uint32_t line = 0;        // in Recording::source(); 0: the line of the warp's previous step counts
    uint32_t instruction = 0; // index into InstructionTrace::instructions, starting at 1; 0: none
    uint32_t mask = 0;        // lanes that took part
    // If not 0, the kernel itself reports the access (device/watch_probe.h), and this is the number of the array,
    // counted from 1. Addresses are then byte offsets in the array. Such steps are only for traced::Recorder, not for a
    // Builder.
    uint32_t noted = 0;
    // For global memory, the kernel's addresses. For shared memory, offsets in bytes in the block's shared memory. For
    // a shuffle, lanes. For arrive and wait, the barrier's number. Ignored for lanes outside the mask.
    std::array<uint64_t, recording::warp_size> address{};
};

bool in_global(const Step& step); // whether its addresses are in global memory

// The position of one of the recording's arrays, as an address in the form that steps have.
struct Place {
    uint64_t first = 0;
    std::size_t array = 0; // in Recording::arrays
};

class Builder {
public:
    // `planned` contains what is known before the kernel runs: kernel, launch, sources, arrays (three or more), device.
    // `places` are the positions of its arrays. `blocks` are kept in full. Throws kernels::Error if no recording can
    // hold such a launch.
    Builder(recording::Recording planned, std::vector<Place> places, std::span<const recording::Index3> blocks);

    // Adds the next step of a warp. Blocks and their warps may come in any order. Throws kernels::Error if the
    // recording would have to keep more than it has room for.
    void take(uint64_t block, uint32_t warp, const Step& step);

    // Merges a builder that was copied from this one before the first step and has taken the steps of later blocks.
    // Throws the same errors as take().
    void join(Builder after);

    // Returns the number of steps with a lane outside all arrays. In blocks that are not kept, only global stores and
    // atomics are examined. Such lanes count in the totals, but no block keeps them.
    uint64_t elsewhere() const { return elsewhere_; }

    recording::Recording finish();

private:
    struct Found { // the part of a step whose lanes access one array
        std::size_t array = 0;
        uint32_t mask = 0;
        std::array<uint32_t, recording::warp_size> offset{};
    };
    struct Warp {
        uint32_t line = 0; // line of its last step
        Step read;         // the read of the copy whose write comes next
        bool reading = false;
        bool lost_read = false; // the read of the bulk copy whose write comes next was outside all arrays
    };
    struct Current { // the warp of the current step; the next step usually belongs to the same warp
        uint64_t block = 0;
        uint32_t number = 0;
        Warp* warp = nullptr;                           // null: no warp yet
        std::vector<recording::Access>* kept = nullptr; // null: its block is not kept
    };
    struct Room { // the address range of an array, up to the start of the next one
        uint64_t first = 0, end = 0;
        std::size_t array = 0;
    };

    void set_current(uint64_t block, uint32_t warp);
    recording::Totals& totals_of_line(uint32_t line);
    void count(const Step& step, uint32_t line, Warp& warp);
    const std::vector<Room>& rooms_of(const Step& step) const;
    std::vector<Found> find(const Step& step) const;
    std::optional<uint32_t> offset_in(const Room& room, const Step& step, uint32_t lane) const;
    bool all_in_one(const Step& step, Found& found) const;
    recording::AtomicRule rule_of(const Step& step);
    void keep(const Step& step, uint32_t line, const Found& found);
    void own(const Step& step, const Found& found);

    recording::Recording result_;
    std::vector<Room> global_, shared_; // ascending by address
    std::map<uint64_t, std::size_t> chosen_;
    std::map<uint64_t, Warp> warps_; // by block and warp
    Current current_;
    std::map<uint32_t, recording::Totals> lines_;
    struct LineTotals {
        uint32_t line = 0;
        recording::Totals* totals = nullptr;
    };
    std::array<LineTotals, 64> recent_lines_; // caches entries of lines_, by the line's lowest bits
    model::CostMemo costs_;
    std::map<std::pair<uint32_t, recording::Op>, recording::AtomicRule> rules_;                // by instruction
    std::shared_ptr<std::atomic<uint64_t>> kept_ = std::make_shared<std::atomic<uint64_t>>(0); // shared by all copies
    uint64_t elsewhere_ = 0;
};

// Guesses the shape of an array of bytes in shared memory from the accesses of the kept blocks. The element size is the
// width of most accesses. The row pitch is the usual distance between neighboring lanes that are not adjacent in
// memory. If this shape does not fit the array's bytes, the array stays one row.
void guess_shape(recording::Array& array, std::size_t number, std::span<const recording::BlockTrace> blocks);

// Collects what a traced kernel reports: totals and owners of the whole launch, and full traces of the chosen blocks.

class Recorder {
public:
    // The counts of one operating-system thread.
    struct Counts {
        std::vector<recording::Totals> lines; // by line
        recording::Access read;               // the read of the copy whose write comes next
    };

    // C is the output array; `blocks` are kept in full and must be within the grid.
    Recorder(const recording::Launch& launch, const recording::Array& C, std::span<const recording::Index3> blocks);

    // From now on takes accesses of the stage's second launch. They are counted but not kept, and own no elements.
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
