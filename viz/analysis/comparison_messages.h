// What is said of two rungs: what one bought over the other, what makes them hard to compare, and what changed. Pure
// functions.
#pragma once

#include "viz/analysis/comparison.h"
#include "viz/text/message.h"

#include <optional>
#include <vector>

namespace viz {

// What `first` bought over `second`, or what it cost: the speeds and the figures that changed most. Where they compute
// different things, only that, and the speeds.
Rich what_it_bought(const ComparedRung& first, const ComparedRung& second);

// Why nothing is compared per multiplication; nothing where both multiply matrices, and not mostly beyond C's edges.
std::optional<Rich> no_costs(const ComparedRung& first, const ComparedRung& second);

// What makes the two hard to compare: another precision, tiles that reach out of C. May be empty.
Rich reservations(const ComparedRung& first, const ComparedRung& second);

// Parameters that differ; shared tiles whose elements lie elsewhere.
std::vector<Rich> setting_changes(const recording::Recording& before, const recording::Recording& after);
std::vector<Rich> layout_changes(const recording::Recording& before, const recording::Recording& after);

} // namespace viz
