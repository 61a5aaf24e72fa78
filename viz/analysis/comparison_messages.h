// Describes the comparison of two rungs: what one gained over the other, what makes them hard to compare, and what
// changed. Pure functions.
#pragma once

#include "viz/analysis/comparison.h"
#include "viz/text/message.h"

#include <optional>
#include <vector>

namespace viz {

// Describes what `first` gained or lost against `second`: the speeds, and the values that changed most. If they compute
// different things, only that and the speeds.
Rich what_it_bought(const ComparedRung& first, const ComparedRung& second);

// Returns why nothing is compared per multiplication. Returns nothing if both multiply matrices and their work lies
// mostly inside C.
std::optional<Rich> no_costs(const ComparedRung& first, const ComparedRung& second);

// Describes what makes the two hard to compare: different precision, tiles that extend beyond C. May be empty.
Rich reservations(const ComparedRung& first, const ComparedRung& second);

// Describe the parameters that differ, and the shared tiles whose layouts differ.
std::vector<Rich> setting_changes(const recording::Recording& before, const recording::Recording& after);
std::vector<Rich> layout_changes(const recording::Recording& before, const recording::Recording& after);

} // namespace viz
