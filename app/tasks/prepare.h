// Task: compile what several jobs need, at once and ahead of them.
#pragma once

#include "app/tasks/context.h"

namespace app {

struct PrepareResult;

struct PrepareTask {
    std::vector<StageJob> jobs;
    bool recorded = false; // the instrumented forms too

    using Result = PrepareResult;
    // What does not compile is told by the task that needs it.
    PrepareResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    friend bool operator==(const PrepareTask&, const PrepareTask&) = default;
};

struct PrepareResult {
    std::size_t jobs = 0;
};

} // namespace app
