// One stage of the data path in one frame.
#pragma once

#include "viz/figure/figure.h"
#include "viz/view.h"
#include "viz/views/01_flow/flow_facts.h"
#include "viz/views/01_flow/scene.h"

#include <cstdint>
#include <string>
#include <vector>

namespace viz {

struct FlowPart {
    const ViewFrame& frame;
    const StageColumn& stage;
    Focus focus;
    const FlowFacts& facts;
    FlowScene scene;
    Motion motion;
    uint32_t lit_lanes = 0; // mask: the mouse is over them or over their words, so their ways stand out

    const Theme& theme() const { return frame.theme; }
    Colour accent() const { return theme().accent(stage.number); }
    uint32_t lane() const { return frame.selection.lane; }
    const recording::Recording& recording() const { return *focus.recording; }
    const recording::Access& access() const { return focus.access(); }
    // Of a mark: that of the first stage is the thing's alone.
    std::string name(const std::string& thing) const { return stage.number == 0 ? thing : thing + " of " + stage.slug; }
    // Of lanes that shared memory serves in several groups each group has its own.
    Colour lane_colour(uint32_t of) const
    {
        const auto together = static_cast<uint32_t>(facts.ways.group_lanes);
        return together < recording::warp_size ? theme().lane_group[of / together % 4] : accent();
    }
    Colour colour(const Way& way) const { return way.waits ? theme().warning : lane_colour(way.lane); }
    // Whether the words of the way have left its beginning, or arrived at its end.
    bool is_there(const Way& way, const WayEnd& end) const
    {
        const double along = motion.along(way.turn);
        return end == way.from ? along > 0 : along >= 1;
    }
};

// Layers of the matrices above and the memory below, with what is written in their elements and words, and said of these. They refer
// to the part (memory.cpp).
void add_matrices(std::vector<Layer>& layers, const FlowPart& part);
void add_memory(std::vector<Layer>& layers, const FlowPart& part);
void add_names_of_memory(std::vector<Layer>& layers, const FlowPart& part); // of its rows and columns, over the ways
void add_values(std::vector<Layer>& layers, const FlowPart& part);          // in elements and words

// The lanes that want a word of memory: a mask.
uint32_t lanes_that_want(const FlowFacts& facts, const WordPlace& word);

// What is said of a step, beside the pointer, and of the selected lane (sentences.cpp).
Rich headline_of_step(const recording::Recording& recording, const StepWays& ways, const recording::Access& access);
std::vector<CalloutLayer::Line> cost_lines(const FlowPart& part); // what the step's turns were
// "As(4, 2) A(2, 4) = 0.4312": an element, what it holds, and its value.
Rich element_words(const FlowFacts& facts, std::size_t array, const Cell& cell);
Rich word_words(const FlowFacts& facts, const WordPlace& place); // nothing where no word is
// What a lane moves at this step, with the values where they are known.
Rich lane_words(const FlowFacts& facts, const Focus& focus, uint32_t lane);
// An element of C in the registers of a lane: its sum before this k, where that is known.
Rich sum_words(const FlowFacts& facts, const Cell& c);

} // namespace viz
