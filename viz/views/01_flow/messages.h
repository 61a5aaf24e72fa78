// What the data path view says beside the pointer and of the selected lane.
#pragma once

#include "viz/views/01_flow/flow_facts.h"
#include "viz/views/01_flow/scene.h"

#include <optional>

namespace viz {

// Of the lane, the word of memory or the element of A, B, C at that point of the screen, or in the registers of `lane`, the selected
// one; nothing where there is none.
std::optional<Message> what_is_at(const FlowFacts& facts, const FlowScene& scene, const Focus& focus, uint32_t lane,
                                  ImVec2 point);

// An element of C in the registers of the lane: its sum before this k, where that is known.
Message sum_message(const FlowFacts& facts, const Cell& c);

// What the lane moves at this step, with the values where they are known, and the sum it has for its first element of C.
Messages lane_messages(const FlowFacts& facts, const Focus& focus, uint32_t lane);

} // namespace viz
