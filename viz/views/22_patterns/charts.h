// The charts of the patterns view: the cost of every stride, and the measurement of the pattern on a GPU.
#pragma once

#include "viz/analysis/access_pattern.h"
#include "viz/figure/figure.h"
#include "viz/view.h"

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace viz {

// Shows the cost of each stride, from 1 on. A click or a drag calls `choose` with a stride.
Panel stride_panel(const Theme& theme, const AccessPattern& pattern, const PatternCost& cost,
                   const std::vector<std::optional<int>>& costs, std::function<void(int)> choose, const Box& box);

// Shows the cost of each width of an element, as bars by bytes per lane ("width N"). A click calls `choose` with a
// width.
Panel width_panel(const Theme& theme, const AccessPattern& pattern,
                  const std::array<std::optional<PatternCost>, 5>& costs,
                  std::function<void(AccessPattern::Width)> choose, const Box& box);

// Shows the cost in the model beside the measured one, in cycles of an SM. Returns nothing if no GPU measured the
// pattern.
std::optional<Panel> measured_panel(const ViewFrame& frame, const AccessPattern& pattern, const PatternCost& cost,
                                    const Box& box);

} // namespace viz
