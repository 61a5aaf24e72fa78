// Task: run a stage instrumented and keep what it did.
#pragma once

#include "app/tasks/recorded.h"

namespace app {

struct RecordTask {
    StageJob job;
    std::vector<recording::Index3> blocks; // in full
    bool owners = true;                    // who wrote each element of C
    friend bool operator==(const RecordTask&, const RecordTask&) = default;
};

struct RecordResult {
    Recorded recorded;
    double milliseconds = 0; // of the recording alone, its kernels being compiled
};

RecordResult record(const RecordTask& task, const TaskContext& context);

} // namespace app
