// Task: compile what several jobs need, at once and ahead of them.
#pragma once

#include "app/tasks/context.h"

namespace app {

struct PrepareTask {
    std::vector<StageJob> jobs;
    bool recorded = false; // the instrumented forms too
};

struct PrepareResult {
    std::size_t jobs = 0;
};

// What does not compile is told by the task that needs it.
PrepareResult prepare(const PrepareTask& task, const TaskContext& context);

} // namespace app
