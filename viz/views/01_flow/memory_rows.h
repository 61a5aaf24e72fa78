// The memory layout in rows of 32 words: shared memory by bank, or the 128-byte lines of global memory that one access
// touches. Determines which rows are shown, and the position of a word among them. Pure values.
#pragma once

#include "viz/analysis/transfers.h"

#include "recording/recording.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace viz {

inline constexpr uint64_t row_bytes = 128; // 32 words of 4 bytes

// The position of a word among the rows shown.
struct WordPlace {
    uint32_t row = 0;  // among all rows shown
    uint32_t word = 0; // 0 to 31; in shared memory this is the bank
    friend auto operator<=>(const WordPlace&, const WordPlace&) = default;
};

// Consecutive rows of one array.
struct RowBand {
    uint8_t array = 0;
    uint64_t first = 0; // row of the array
    uint32_t rows = 0;
    uint32_t top = 0; // index of the band's first row among all rows shown

    uint64_t offset_of(const WordPlace& place) const // in the array, in bytes
    {
        return (first + place.row - top) * row_bytes + uint64_t{place.word} * 4;
    }
};

// The rows of memory that are shown.
class MemoryRows {
public:
    // Returns the rows of all shared tiles. For a ring of slots, includes only the slot that the warp used last, at or
    // before that step.
    static MemoryRows of_shared(const recording::Recording& recording, const recording::WarpTrace& warp,
                                std::size_t step);
    // Returns the lines that the transfers touch. Adds the lines that follow them until there are `least` lines in
    // total.
    static MemoryRows of_lines(const recording::Recording& recording, const StepWays& transfers, uint32_t least);

    const std::vector<RowBand>& bands() const { return bands_; }
    uint32_t rows() const { return rows_; }
    const RowBand* band_of(uint32_t row) const;                           // null if there is no such row
    std::optional<WordPlace> place(uint8_t array, uint64_t offset) const; // empty if the row is not shown
    std::optional<WordPlace> place(
        const Endpoint& end) const; // empty if the row is not shown or the endpoint is a lane
    // Returns whether `bytes` bytes starting at the endpoint include this word.
    bool covers(const Endpoint& end, uint32_t bytes, const WordPlace& word) const;

private:
    void add(uint8_t array, uint64_t first, uint32_t rows);

    std::vector<RowBand> bands_;
    uint32_t rows_ = 0;
};

} // namespace viz
