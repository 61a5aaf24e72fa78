// Where a number comes from, in one word and a mark; hover explains.
#pragma once

#include "app/state.h"

#include <string>
#include <string_view>

namespace app {

enum class Origin : uint8_t { measured, recorded, derived, counter, shipped };

std::string_view name(Origin origin); // "measured"

// How such a number was had, in a sentence; `device`: the GPU's name, or where else it comes from.
std::string explained(Origin origin, std::string_view device);

// In ImGui's layout: the origin's mark and some words, its own name where they are empty.
void badge(State& state, Origin origin, std::string_view words, std::string_view device);

} // namespace app
