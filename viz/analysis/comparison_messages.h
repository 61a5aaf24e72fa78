// Describes the comparison of two rungs: what one gained over the other, what makes the comparison difficult, and what
// changed. Pure functions.
#pragma once

#include "viz/analysis/comparison.h"
#include "viz/text/message.h"

#include <optional>
#include <vector>

namespace viz {

// Describes what `first` gained or lost against `second`: the speeds, and the values that changed most. If they compute
// different things, describes only that and the speeds.
Rich what_it_bought(const ComparedRung& first, const ComparedRung& second);

// Returns why costs per multiplication are not compared. Returns nothing if both multiply matrices and most of their
// work lies inside C.
std::optional<Rich> no_costs(const ComparedRung& first, const ComparedRung& second);

// Describes differences that limit the comparison: precision, and tiles that extend beyond C. May be empty.
Rich reservations(const ComparedRung& first, const ComparedRung& second);

// Describe the parameters that differ, and the shared tiles whose layouts differ.
std::vector<Rich> setting_changes(const recording::Recording& before, const recording::Recording& after);
std::vector<Rich> layout_changes(const recording::Recording& before, const recording::Recording& after);

} // namespace viz
