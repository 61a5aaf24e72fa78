// Task that records when the warps of one SM take each step of a stage.
#pragma once

#include "app/tasks/context.h"

#include "recording/warp_times.h"

namespace app {

struct WarpsResult;

struct WarpsTask {
    StageJob job;
    kernels::WatchedWarps watched;
    using Result = WarpsResult;
    // Throws Unavailable if there is no GPU.
    WarpsResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    friend bool operator==(const WarpsTask&, const WarpsTask&) = default;
};

struct WarpsResult {
    recording::WarpTimes times;
};

} // namespace app
