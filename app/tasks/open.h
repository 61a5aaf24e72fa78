// Task that reads a recording from a file, or the shipped recording of a stage.
#pragma once

#include "app/tasks/record.h"

#include <filesystem>

namespace app {

struct OpenResult;

struct OpenTask {
    std::filesystem::path path; // recording file, or the folder of the shipped recordings
    std::string stage;          // slug of the stage to read from the folder; empty: `path` is a file

    using Result = OpenResult;
    // Throws Unavailable if no recording of the stage is shipped.
    OpenResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    bool of_user() const; // the file is a CUDA file, not a recording
    static constexpr std::size_t most_kept = 8;
    friend bool operator==(const OpenTask&, const OpenTask&) = default;
};

struct OpenResult {
    Recorded recorded;
};

} // namespace app
