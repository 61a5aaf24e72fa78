// The layout of the data path on the screen: matrices at the top, the lanes of the warp below them, and memory in rows
// of 32 words at the bottom, with each lane above the bank of its number. Pure geometry.
#pragma once

#include "viz/draw/matrix_picture.h"
#include "viz/views/01_flow/flow_facts.h"

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace viz {

// The boxes of all parts of the picture.
class FlowScene {
public:
    // `zoom` is the ratio between the size of the box and the visible area.
    FlowScene(const FlowFacts& facts, float zoom, const Theme& theme, const draw::Box& box);

    const std::vector<MatrixFrame>& operands() const { return operands_; } // by array; an empty frame is not drawn
    const draw::Box& registers() const { return registers_; }
    const draw::Box& lanes() const { return lanes_; }
    const draw::Box& memory() const { return memory_; }
    const draw::Box& gutter() const { return gutter_; } // left of the memory, for the names of rows
    float row_height() const { return row_height_; }
    float zoom() const { return zoom_; }
    uint32_t first_row() const { return first_row_; } // of the rows shown, if not all fit
    uint32_t rows_shown() const { return rows_shown_; }

    draw::Box lane(uint32_t lane) const;
    std::optional<draw::Box> words(const WordPlace& place, uint32_t count) const; // empty if not visible
    std::optional<draw::Box> words(const Endpoint& first,
                                   uint32_t bytes) const;        // empty if not visible or not in memory
    std::optional<draw::Box> words(const HeldWords& held) const; // the visible part
    float row_top(uint32_t row) const;                           // row: of MemoryRows
    // Returns the end point of a transfer of so many bytes, or nothing if it is not visible.
    std::optional<ImVec2> point(const Endpoint& end, uint32_t bytes) const;
    std::optional<uint32_t> lane_under(ImVec2 point) const;
    std::optional<WordPlace> word_under(ImVec2 point) const;

private:
    bool few_rows() const;
    float highest_row(const Theme& theme) const;
    void place_operands(const Theme& theme, draw::Box box);
    void place_buffers(const Theme& theme, const draw::Box& box);
    void place_memory(const Theme& theme, const draw::Box& box);

    const FlowFacts& facts_;
    const recording::Recording& recording_;
    float zoom_;
    std::vector<MatrixFrame> operands_;
    draw::Box registers_{}, lanes_{}, memory_{}, gutter_{};
    float row_height_ = 1;
    uint32_t first_row_ = 0, rows_shown_ = 0;
};

} // namespace viz
