// Task that compiles what several jobs need, at once and ahead of time.
#pragma once

#include "app/tasks/context.h"

namespace app {

struct PrepareResult;

struct PrepareTask {
    std::vector<StageJob> jobs;
    bool recorded = false; // compile the instrumented forms too

    using Result = PrepareResult;
    // Ignores compile errors. The task that needs the kernel reports them.
    PrepareResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    friend bool operator==(const PrepareTask&, const PrepareTask&) = default;
};

struct PrepareResult {
    std::size_t jobs = 0;
};

} // namespace app
