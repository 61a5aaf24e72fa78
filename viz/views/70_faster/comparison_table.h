// Two rungs' figures as pairs of bars, a line for each.
#pragma once

#include "viz/analysis/comparison.h"
#include "viz/draw/draw.h"
#include "viz/view.h"

namespace viz {

struct ComparisonTable {
    ViewFrame& frame;
    const ComparedRung& first;
    const ComparedRung& second;
    Per per = Per::multiplications;
    bool alone = false; // no other picture needs the room
};

// Measures that are zero in both, or known of neither, are left out, and those per multiplication where they are not known of both;
// where the box is too low for all, those that are alike, too. Bars of a pair have one scale: the longer one fills its room. One
// that is not known has its reason there. Fills the box; marks "bar:NAME 0" and "bar:NAME 1", by column.
void draw_comparison(const ComparisonTable& table, const draw::Box& box);

} // namespace viz
