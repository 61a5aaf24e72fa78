// Task: have a GPU count what access patterns cost, and time them.
#pragma once

#include "app/tasks/context.h"

#include "model/pattern_file.h"

#include <vector>

namespace app {

struct MeasurePatternsResult;

struct MeasurePatternsTask {
    std::vector<model::PatternRow> rows;
    bool times = false; // how long they take, too; then it is no failure where counters cannot be read

    using Result = MeasurePatternsResult;
    static constexpr bool of_device = true;
    // Throws Unavailable where there is no GPU or its counters cannot be read.
    MeasurePatternsResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    friend bool operator==(const MeasurePatternsTask&, const MeasurePatternsTask&) = default;
};

struct MeasurePatternsResult {
    std::vector<model::PatternRow> rows; // the same, with what was counted and timed
    std::string not_counted = {};        // why nothing was counted, where times are wanted; empty: it was
};

} // namespace app
