// Two rungs' figures as pairs of bars.
#pragma once

#include "viz/analysis/comparison.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"
#include "viz/theme.h"

#include <string>

namespace viz {

struct ComparisonTable {
    const ComparedRung& first;
    const ComparedRung& second;
    const Theme& theme;
    Marks* marks = nullptr; // "bar:NAME first", "bar:NAME second"
};

// Measures that are zero in both are left out, and those per multiplication where neither multiplies. Bars of a pair have
// one scale: the longer one fills the width. Returns the height; a pair under the mouse goes to `hint`.
float draw_comparison(const ComparisonTable& table, const draw::Box& box, std::string& hint);

} // namespace viz
