// Changing one parameter of a stage.
#pragma once

#include "app/session/snapshot.h"

#include <cstddef>
#include <string>

namespace app {

// Why a stage cannot have these parameters here; empty when it can.
std::string refusal(const Snapshot& snapshot, const kernels::Stage& stage, const kernels::ParameterValues& values);

// The values with one changed. Where that cannot run, the nearest set with the new value that can: with the fewest other parameters
// changed, and these by the smallest factors; among one other parameter at any of its choices, and the built-in sets. Where there is
// none, what cannot run.
kernels::ParameterValues with_value(const Snapshot& snapshot, const kernels::Stage& stage,
                                    kernels::ParameterValues values, std::size_t index, int value);

} // namespace app
