// Task: note when the warps of one SM take which step of a stage.
#pragma once

#include "app/tasks/context.h"

#include "recording/warp_times.h"

namespace app {

struct WarpsTask {
    StageJob job;
    kernels::WatchedWarps watched;
    friend bool operator==(const WarpsTask&, const WarpsTask&) = default;
};

struct WarpsResult {
    recording::WarpTimes times;
};

// Throws Unavailable where there is no GPU.
WarpsResult watch_warps(const WarpsTask& task, const TaskContext& context);

} // namespace app
