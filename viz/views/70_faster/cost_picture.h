// The work of both stages at one scale of cost: pairs of bars in cycles of an SM, the cause of the difference lit up.
#pragma once

#include "viz/analysis/step_cost.h"
#include "viz/draw/draw.h"
#include "viz/view.h"

#include <vector>

namespace viz {

struct CostPicture {
    ViewFrame& frame;
    const ComparedRung& first;
    const ComparedRung& second;
    const std::vector<WorkPair>& pairs;
};

// Fills the box. Marks "work:NAME first" and "work:NAME second".
void draw_costs(const CostPicture& picture, const draw::Box& box);

} // namespace viz
