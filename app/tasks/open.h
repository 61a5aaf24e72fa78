// Task: read a recording from a file, or the one that is shipped of a stage.
#pragma once

#include "app/tasks/record.h"

#include <filesystem>

namespace app {

struct OpenTask {
    std::filesystem::path path; // a recording, or the folder of the shipped recordings
    std::string stage;          // slug of the one in the folder; empty: path is a file
};

struct OpenResult {
    Recorded recorded;
};

// Throws Unavailable where nothing of the stage is shipped.
OpenResult open(const OpenTask& task, const TaskContext& context);

} // namespace app
