// Task: run a stage instrumented and keep what it did.
#pragma once

#include "app/tasks/context.h"

#include "viz/analysis/roofline.h"

#include <optional>

namespace app {

// A recording with what follows from it and grows with it, derived where it is made or read, so that drawing never waits for it.
struct Recorded {
    RecordingPtr recording;
    viz::Traffic traffic;
    std::optional<viz::ReuseTile> tile;
};

Recorded derive(recording::Recording recording);

struct RecordResult;

struct RecordTask {
    StageJob job;
    std::vector<recording::Index3> blocks; // in full
    bool owners = true;                    // who wrote each element of C
    using Result = RecordResult;
    RecordResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    friend bool operator==(const RecordTask&, const RecordTask&) = default;
};

struct RecordResult {
    Recorded recorded;
    double milliseconds = 0; // of the recording alone, its kernels being compiled
};

} // namespace app
