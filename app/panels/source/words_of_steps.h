// The words for steps that are no plain load or store of each lane; for words.cpp.
#pragma once

#include "app/panels/source/words.h"

#include <optional>

namespace app {

// Of a step that touches no memory.
std::string lane_text_without_address(const recording::Access& access, uint32_t lane);
Explanation explain_without_address(const recording::Access& access);

// What is said of a kind of access beside its addresses and cost: what it is for. Empty for plain loads and stores.
std::string purpose_of(recording::Op op);

} // namespace app
