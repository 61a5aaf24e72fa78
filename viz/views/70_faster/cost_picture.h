// The work of the stages at one scale of cost: bars of each in cycles of an SM, the cause of the difference lit up.
#pragma once

#include "viz/analysis/step_cost.h"
#include "viz/draw/draw.h"
#include "viz/view.h"

#include <optional>
#include <string>
#include <vector>

namespace viz {

struct CostPicture {
    ViewFrame& frame;
    const ComparedRung& first;
    const ComparedRung& second;
    const std::vector<WorkPair>& pairs;
    const std::optional<std::vector<WorkPair>>& further; // of `first` and column 2; none: two are compared
    Per per = Per::multiplications;
    std::optional<recording::Problem> counted_at =
        {}; // what is executed; none: of the stages at different sizes, or not counted
};

// "14.6 cycles"; of what an SM serves several of in a cycle also how many: "8.83 cycles (35.3 ÷ 4)".
std::string cycle_words(const WorkPair& pair, double count);

// Fills the box. Marks "work:NAME 0" and "work:NAME 1", by column.
void draw_costs(const CostPicture& picture, const draw::Box& box);

} // namespace viz
