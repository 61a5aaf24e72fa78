// Makes the recording of a kernel that was watched at its machine instructions: by the PTX machine, or by a tool that runs
// beside the kernel on a GPU. Whoever watches hands over each step of each warp with the addresses that its lanes had; here
// they are found in arrays, counted over the whole launch, and kept for the chosen blocks.
#pragma once

#include "model/access_totals.h"
#include "recording/recording.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace traced {

// One machine instruction as one warp ran it. An asynchronous copy is two: its read, then its write.
struct Step {
    recording::Op op = recording::Op::barrier;
    uint8_t width = 0; // bytes per lane; of async_wait: how many groups may still be under way
    recording::Transposed transposed = recording::Transposed::unknown;
    // Of WMMA's loads and stores and of both halves of bulk copies, which go to either; shared of a wgmma that reads an
    // operand there.
    recording::Space space = recording::Space::global;
    // Not 0: a part of what a bulk copy writes to global memory (bulk_store), bytes from its address on. Its lane owns
    // them; it is no step of the recording, as the whole copy is one.
    uint32_t bytes = 0;
    uint32_t line = 0;        // in Recording::source(); 0: of none, and then that of the warp's step before counts
    uint32_t instruction = 0; // in AsExecuted::instructions, counted from 1; 0: of none
    uint32_t mask = 0;        // lanes that took part
    // Not 0: the kernel itself says the access (device/watch_probe.h), to the array of this number, counted from 1; then the
    // addresses are bytes from its start. Such steps are for traced::Recorder, a Builder takes none.
    uint32_t noted = 0;
    // Of global memory: as the kernel had them. Of shared memory: bytes from where the block's begins. Of a shuffle: lanes;
    // of arrive and wait: the barrier's number. Not looked at for lanes outside the mask.
    std::array<uint64_t, recording::warp_size> address{};
};

bool in_global(const Step& step); // whether its addresses are of global memory

// Where an array of the recording lies: an address as steps have it.
struct Place {
    uint64_t first = 0;
    std::size_t array = 0; // in Recording::arrays
};

class Builder {
public:
    // `planned`: what is known before anything runs: kernel, launch, sources, arrays (three or more), device. `places`: of
    // its arrays. `blocks`: those to keep in full. Throws kernels::Error where no recording can hold such a launch.
    Builder(recording::Recording planned, std::vector<Place> places, std::span<const recording::Index3> blocks);

    // The next step of a warp; blocks and their warps may come in any order. Throws kernels::Error where more is to be kept
    // than a recording has room for.
    void take(uint64_t block, uint32_t warp, const Step& step);

    // Adds what a copy, made before the first step, took of blocks that come after. Throws as take() does.
    void join(Builder after);

    // Steps that touched memory in none of the arrays: they are counted, and are in no block.
    uint64_t elsewhere() const { return elsewhere_; }

    recording::Recording finish();

private:
    struct Found { // part of a step: lanes that touch one array
        std::size_t array = 0;
        uint32_t mask = 0;
        std::array<uint32_t, recording::warp_size> offset{};
    };
    struct Warp {
        uint32_t line = 0; // of its last step
        Step read;         // of the copy whose write comes next
        bool reading = false;
        bool lost_read = false; // the read of the bulk copy whose write comes next lies in no array
    };
    struct Current { // the warp that makes a step; the next one is mostly of the same
        uint64_t block = 0;
        uint32_t number = 0;
        Warp* warp = nullptr;                           // null: of none yet
        std::vector<recording::Access>* kept = nullptr; // null: its block is not kept
    };
    struct Room { // where an array lies, as far as no other one begins
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
    std::array<LineTotals, 64> recent_lines_; // of lines_, by the line's last digits
    model::CostMemo costs_;
    std::shared_ptr<std::atomic<uint64_t>> kept_ = std::make_shared<std::atomic<uint64_t>>(0); // by all copies
    uint64_t elsewhere_ = 0;
};

// Of an array of bytes in shared memory of which only the accesses of kept blocks are known: the size of its elements is
// the width that most accesses have, and its rows lie as far apart as neighbouring lanes mostly do when they are not
// neighbours in memory. What does not fit the array's bytes is left as one row.
void guess_shape(recording::Array& array, std::size_t number, std::span<const recording::BlockTrace> blocks);

} // namespace traced
