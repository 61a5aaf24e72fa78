// Task: have a GPU count what access patterns cost.
#pragma once

#include "app/tasks/context.h"

#include "model/pattern_file.h"

#include <vector>

namespace app {

struct MeasurePatternsTask {
    std::vector<model::PatternRow> rows;
};

struct MeasurePatternsResult {
    std::vector<model::PatternRow> rows; // the same, with what was counted
};

// Throws Unavailable where there is no GPU or its counters cannot be read.
MeasurePatternsResult measure_patterns(const MeasurePatternsTask& task, const TaskContext& context);

} // namespace app
