// What is said of two rungs: what one bought over the other, what makes them hard to compare, and what changed. Pure
// functions.
#pragma once

#include "viz/analysis/comparison.h"
#include "viz/text/message.h"

#include <optional>

namespace viz {

// What `first` bought over `second`, or what it cost: the speeds and the figures that changed most. Where they compute
// different things, only that, and the speeds.
Messages what_it_bought(const ComparedRung& first, const ComparedRung& second);

// Why nothing is compared per multiplication; nothing where both multiply matrices, and not mostly beyond C's edges.
std::optional<Message> no_costs(const ComparedRung& first, const ComparedRung& second);

// What makes the two hard to compare: another precision, tiles that reach out of C. May be empty.
Messages reservations(const ComparedRung& first, const ComparedRung& second);

// Parameters that differ; shared tiles whose elements lie elsewhere.
Messages setting_changes(const recording::Recording& before, const recording::Recording& after);
Messages layout_changes(const recording::Recording& before, const recording::Recording& after);

} // namespace viz
