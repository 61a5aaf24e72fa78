// Task: read a recording from a file, or the one that is shipped of a stage.
#pragma once

#include "app/tasks/record.h"

#include <filesystem>

namespace app {

struct OpenResult;

struct OpenTask {
    std::filesystem::path path; // a recording, or the folder of the shipped recordings
    std::string stage;          // slug of the one in the folder; empty: path is a file

    using Result = OpenResult;
    // Throws Unavailable where nothing of the stage is shipped.
    OpenResult run(const TaskContext& context) const;
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    bool of_user() const; // of a CUDA file, not of a recording
    static constexpr std::size_t most_kept = 8;
    friend bool operator==(const OpenTask&, const OpenTask&) = default;
};

struct OpenResult {
    Recorded recorded;
};

} // namespace app
