// Facts, texts and positions for the data path view: what a warp moves in one step, and where it is drawn. Draws
// nothing.
#pragma once

#include "viz/analysis/fragments.h"
#include "viz/analysis/partial_sums.h"
#include "viz/analysis/tiling.h"
#include "viz/analysis/transfers.h"
#include "viz/analysis/values.h"
#include "viz/draw/camera.h"
#include "viz/draw/focus.h"
#include "viz/draw/matrix_picture.h"
#include "viz/figure/figure.h"
#include "viz/view.h"

#include "recording/recording.h"

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
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

// The visible rows of 32 words: rows of banks in shared memory, or 128-byte lines of global memory that one access
// touches.
class MemoryRows {
public:
    // Returns the rows of all shared tiles. Of a ring of slots, includes only the slot that the warp used last before
    // or at that step.
    static MemoryRows of_shared(const recording::Recording& recording, const recording::WarpTrace& warp,
                                std::size_t step);
    // Returns the lines that the transfers touch, followed by more lines if there are fewer than `least`.
    static MemoryRows of_lines(const recording::Recording& recording, const StepWays& transfers, uint32_t least);

    const std::vector<RowBand>& bands() const { return bands_; }
    uint32_t rows() const { return rows_; }
    const RowBand* band_of(uint32_t row) const; // null if there is no such row
    // Empty if the row is not shown, or if the endpoint is a lane.
    std::optional<WordPlace> place(uint8_t array, uint64_t offset) const;
    std::optional<WordPlace> place(const Endpoint& end) const;
    // Returns whether `bytes` bytes starting at the endpoint include this word.
    bool covers(const Endpoint& end, uint32_t bytes, const WordPlace& word) const;
    bool covers(const Transfer& transfer, const WordPlace& word) const // at one end of the transfer
    {
        return covers(transfer.from, transfer.bytes, word) || covers(transfer.to, transfer.bytes, word);
    }

private:
    void add(uint8_t array, uint64_t first, uint32_t rows);

    std::vector<RowBand> bands_;
    uint32_t rows_ = 0;
};

// Adjacent words that hold elements of one matrix: `words` words in each of `rows` rows.
struct HeldWords {
    WordPlace first;
    uint32_t words = 0, rows = 1;
    std::size_t array = 0; // index of the matrix
};

// Returns the contents of the block's shared memory over time. Returns null while another thread computes them for a
// large block.
std::shared_ptr<BlockTiling> flow_tiling(const StageColumn& column, const recording::BlockTrace& block);

// The state of a warp at a step.
struct FlowFacts {
    FlowFacts(const RecordingPtr& recording, const recording::BlockTrace& block, uint32_t warp,
              std::shared_ptr<BlockTiling> of_block);

    std::shared_ptr<BlockTiling> tiling; // flow_tiling() of the block
    std::vector<Phase> phases;           // of the warp
    StepWays transfers;
    MemoryRows rows;
    bool lines_below = false; // the rows are lines of global memory, because the kernel has no shared memory
    // For A and B: the elements that the current or next k-tile needs.
    std::array<std::vector<CellRect>, 2> slice;
    Highlight highlight;               // elements that the step touches, per array
    std::vector<CellRect> thread_tile; // part of C that belongs to the selected lane
    std::vector<Cell> results;         // elements of thread_tile
    std::vector<Cell> warp_results;    // elements of C that belong to the warp's lanes, in order
    std::vector<Cell> stored;          // elements of C that the warp has stored so far, in order
    std::vector<HeldWords> held;       // in the visible rows
    // Words of shared tiles that the tensor cores read at the step; `array` is the tile.
    std::vector<HeldWords> operand_words;
    std::optional<Fragments> fragments;
    bool operands_elsewhere = false; // the operands are in local memory, see RegisterUse
    // True if the lanes that store the sums also accumulate them in registers, product by product.
    bool in_registers = false;
    double began = 0; // time at which the step was entered, in the frame's seconds; see Motion

    // Moves to a step and a lane. If `moving`, the words of a new step begin to move now. Otherwise they are at their
    // destination. Must be called in each frame before other functions.
    void move_to(std::size_t step, uint32_t lane, double seconds, bool moving);

    const recording::Recording& recording() const { return *recording_; }
    const Elements& elements(std::size_t array) const { return tiling->elements()[array]; }
    const Phase& phase() const { return phase_at(phases, *step_); }

    // See viz::summed_up_to(). Also empty if the sums are not in registers.
    std::optional<uint32_t> summed_up_to() const { return added_up_to_; }

    // Returns the current sum of an element of C that a lane of the warp accumulates.
    std::optional<double> sum_so_far(const Cell& c) const;
    // Returns the current value of an element of A, B or C. For C it is the stored value, or before the store the
    // partial sum.
    std::optional<double> value_now(std::size_t array, const Cell& cell) const;
    // Returns the element of A or B that a cell of a shared tile holds now. Returns an element of a global matrix
    // unchanged.
    std::optional<std::pair<std::size_t, Cell>> source_of(std::size_t array, const Cell& cell) const;
    // Returns a mask of the lanes that request a word of memory.
    uint32_t lanes_that_want(const WordPlace& word) const;
    // Returns the array and the element at the beginning of a word of memory, or nothing if there is none.
    std::optional<std::pair<std::size_t, Cell>> cell_at(const WordPlace& word) const;

private:
    void find_stored();
    void find_held();
    void find_operands();
    void find_slice();

    RecordingPtr recording_;
    const recording::WarpTrace* warp_;
    uint32_t warp_index_;
    std::optional<std::size_t> step_;          // empty before the first move_to()
    std::optional<std::size_t> compute_phase_; // the phase for which `slice` was computed
    std::optional<uint32_t> lane_;
    std::optional<uint32_t> added_up_to_;
    mutable RunningSums sums_;             // caches intermediate sums
    std::optional<FragmentFinder> finder_; // of the warp
};

// Texts.

// Returns "As(4, 2) A(2, 4) = 0.4312": an element, the element that it holds, and its value.
Rich element_words(const FlowFacts& facts, std::size_t array, const Cell& cell);
Rich word_words(const FlowFacts& facts, const WordPlace& place); // empty if there is no word
// Describes what a lane moves at this step, with values if they are known.
Rich lane_words(const FlowFacts& facts, const Focus& focus, uint32_t lane);

// The boxes of all parts of the picture: the matrices at the top, the warp's lanes below them, and memory at the
// bottom. Memory is in rows of 32 words, so that each lane is above the bank with its number.
class FlowScene {
public:
    // `zoom` is the ratio between the size of the box and the visible area.
    FlowScene(const FlowFacts& facts, float zoom, const Theme& theme, const Box& box);

    const std::vector<MatrixFrame>& operands() const { return operands_; } // by array; an empty frame is not drawn
    const Box& registers() const { return registers_; }
    const Box& lanes() const { return lanes_; }
    const Box& memory() const { return memory_; }
    const Box& gutter() const { return gutter_; } // at the left of memory, for the names of rows
    float row_height() const { return row_height_; }
    float zoom() const { return zoom_; }
    uint32_t first_row() const { return first_row_; } // the first visible row, if not all fit
    uint32_t rows_shown() const { return rows_shown_; }

    Box lane(uint32_t lane) const;
    // Empty if the words are not visible.
    std::optional<Box> words(const WordPlace& place, uint32_t count) const;
    std::optional<Box> words(const Endpoint& first, uint32_t bytes) const; // empty for a lane, too
    std::optional<Box> words(const HeldWords& held) const;                 // the visible part
    // `row` is a row of MemoryRows. rows_box() returns the visible part of several rows.
    float row_top(uint32_t row) const;
    Box rows_box(uint32_t row, uint32_t count) const;
    float word_width() const { return lanes_.width() / 32; } // of a lane, too
    // Returns where a transfer of `bytes` bytes begins or ends, or nothing if it is not visible.
    std::optional<ImVec2> point(const Endpoint& end, uint32_t bytes) const;
    std::optional<uint32_t> lane_under(ImVec2 point) const;
    std::optional<WordPlace> word_under(ImVec2 point) const;

private:
    bool few_rows() const;
    float highest_row(const Theme& theme) const;
    void place_operands(const Theme& theme, const Box& box);
    void place_buffers(const Theme& theme, const Box& box);
    void place_memory(const Theme& theme, const Box& box);

    const FlowFacts& facts_;
    const recording::Recording& recording_;
    float zoom_;
    std::vector<MatrixFrame> operands_;
    Box registers_{}, lanes_{}, memory_{}, gutter_{};
    float row_height_ = 1;
    uint32_t first_row_ = 0, rows_shown_ = 0;
};

// One stage in one frame: everything that its layers refer to.
struct FlowPart : StagePart {
    Focus focus;
    const FlowFacts& facts;
    FlowScene scene;
    Motion motion;
    // Mask of the lanes whose transfers are highlighted: lanes under the mouse, or lanes that move the word under it.
    uint32_t lit_lanes = 0;

    const recording::Access& access() const { return focus.access(); }
    // Returns the lane's colour. If shared memory serves the lanes in groups, each group has its own colour.
    Colour lane_colour(uint32_t of) const
    {
        const auto together = static_cast<uint32_t>(facts.transfers.group_lanes);
        return together < recording::warp_size ? theme().lane_group[of / together % 4] : accent();
    }
    Colour colour(const Transfer& transfer) const
    {
        return transfer.waits ? theme().warning : lane_colour(transfer.lane);
    }
    // Returns whether the transfer's words have left this source, or have arrived at this destination.
    bool is_there(const Transfer& transfer, const Endpoint& end) const
    {
        const double along = motion.along(transfer.turn);
        return end == transfer.from ? along > 0 : along >= 1;
    }
};

// These functions add layers that refer to the part (pictures.cpp). add_ways() adds the transfers of the step.
// add_values() adds the contents of elements and words, with tips. add_cost() adds lines about the cost of the step.
void add_matrices(std::vector<Layer>& layers, const FlowPart& part);
void add_memory(std::vector<Layer>& layers, const FlowPart& part);
void add_names_of_memory(std::vector<Layer>& layers, const FlowPart& part); // drawn over the transfers
void add_ways(std::vector<Layer>& layers, const FlowPart& part);
void add_lanes(std::vector<Layer>& layers, const FlowPart& part);
void add_values(std::vector<Layer>& layers, const FlowPart& part);
void add_cost(std::vector<Layer>& layers, const FlowPart& part, std::vector<CalloutLayer::Line> lines);

} // namespace viz
