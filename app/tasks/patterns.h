// Task that counts on a GPU what access patterns cost.
#pragma once

#include "app/tasks/context.h"

#include "model/pattern_file.h"

#include <vector>

namespace app {

struct MeasurePatternsResult;

struct MeasurePatternsTask {
    std::vector<model::PatternRow> rows;

    using Result = MeasurePatternsResult;
    // Throws Unavailable if there is no GPU or its counters cannot be read.
    MeasurePatternsResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    friend bool operator==(const MeasurePatternsTask&, const MeasurePatternsTask&) = default;
};

struct MeasurePatternsResult {
    std::vector<model::PatternRow> rows; // the task's rows with the counted figures
};

} // namespace app
