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

// Everything that the layers of one stage need.
struct FlowPart {
    const ViewFrame& frame;
    const StageColumn& stage;
    Focus focus;
    const FlowFacts& facts;
    FlowScene scene;
    Motion motion;
    // A mask of the lanes under the mouse, or whose words are under it. Their transfers are highlighted.
    uint32_t lit_lanes = 0;

    const Theme& theme() const { return frame.theme; }
    Colour accent() const { return theme().accent(stage.number); }
    uint32_t lane() const { return frame.selection.lane; }
    const recording::Recording& recording() const { return *focus.recording; }
    const recording::Access& access() const { return focus.access(); }
    // Returns the name of a mark. Marks of the first stage have no suffix.
    std::string name(const std::string& thing) const { return stage.number == 0 ? thing : thing + " of " + stage.slug; }
    // Returns the lane's colour. If shared memory serves lanes in several groups, each group has its own colour.
    Colour lane_colour(uint32_t of) const
    {
        const auto together = static_cast<uint32_t>(facts.transfers.group_lanes);
        return together < recording::warp_size ? theme().lane_group[of / together % 4] : accent();
    }
    Colour colour(const Transfer& transfer) const
    {
        return transfer.waits ? theme().warning : lane_colour(transfer.lane);
    }
    // Returns whether the transfer's words have left its source, or arrived at its destination.
    bool is_there(const Transfer& transfer, const Endpoint& end) const
    {
        const double along = motion.along(transfer.turn);
        return end == transfer.from ? along > 0 : along >= 1;
    }
};

// Add the layers of the matrices above and the memory below, with the contents of their elements and words, and their
// tips. The layers refer to the part (memory.cpp).
void add_matrices(std::vector<Layer>& layers, const FlowPart& part);
void add_memory(std::vector<Layer>& layers, const FlowPart& part);
// Adds the names of the memory's rows and columns, drawn over the transfers.
void add_names_of_memory(std::vector<Layer>& layers, const FlowPart& part);
void add_values(std::vector<Layer>& layers, const FlowPart& part); // in elements and words

// Returns a mask of the lanes that request a word of memory.
uint32_t lanes_that_want(const FlowFacts& facts, const WordPlace& word);

// Text about a step, about the item under the mouse, and about the selected lane (sentences.cpp).
Rich headline_of_step(const recording::Recording& recording, const StepWays& transfers,
                      const recording::Access& access);
std::vector<CalloutLayer::Line> cost_lines(const FlowPart& part); // the costs of the step's turns
// Returns "As(4, 2) A(2, 4) = 0.4312": an element, what it holds, and its value.
Rich element_words(const FlowFacts& facts, std::size_t array, const Cell& cell);
Rich word_words(const FlowFacts& facts, const WordPlace& place); // empty if there is no word
// Describes what a lane moves at this step, with values if they are known.
Rich lane_words(const FlowFacts& facts, const Focus& focus, uint32_t lane);
// Describes an element of C in a lane's registers: its sum before this k, if it is known.
Rich sum_words(const FlowFacts& facts, const Cell& c);

} // namespace viz
