// Task that runs an instrumented stage and keeps its recording.
#pragma once

#include "app/tasks/context.h"

#include "viz/analysis/roofline.h"

#include <optional>

namespace app {

// A recording with derived data whose cost grows with its size. The data is derived when the recording is made or read,
// so that drawing never waits for it.
struct Recorded {
    RecordingPtr recording;
    viz::Traffic traffic;
    std::optional<viz::ReuseTile> tile;
};

Recorded derive(recording::Recording recording);

struct RecordResult;

struct RecordTask {
    StageJob job;
    std::vector<recording::Index3> blocks; // blocks to record in full
    bool owners = true;                    // record which thread wrote each element of C
    using Result = RecordResult;
    RecordResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    friend bool operator==(const RecordTask&, const RecordTask&) = default;
};

struct RecordResult {
    Recorded recorded;
    double milliseconds = 0; // time of the recording alone, without compiling its kernels
};

} // namespace app
