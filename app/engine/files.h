// Tasks that read and write files.
#pragma once

#include "app/data/gpu.h"
#include "app/data/searches.h"
#include "app/engine/context.h"
#include "app/engine/record.h"
#include "app/engine/trace.h"

#include <filesystem>
#include <variant>

namespace app {

// Task that reads a recording from a file, or the shipped recording of a stage.
struct OpenResult;

struct OpenTask {
    std::filesystem::path path; // recording file, or the folder of the shipped recordings
    std::string stage;          // slug of the stage to read from the folder; empty: `path` is a file

    using Result = OpenResult;
    // Throws Unavailable if no recording of the stage is shipped.
    OpenResult run(const TaskContext& context) const;
    std::string name() const
    {
        return of_user() ? "running a kernel of " + path.filename().string() : "opening a recording";
    }
    double seconds_allowed(const MachineFacts&) const { return of_user() ? seconds_of_user : 60; }
    bool of_user() const { return stage.empty() && is_cuda_source(path); } // the file is a CUDA file, not a recording
    static constexpr std::size_t most_kept = 8;
    friend bool operator==(const OpenTask&, const OpenTask&) = default;
};

struct OpenResult {
    Recorded recorded;
};

// Task that writes a value to its file, completely or not at all.

// A search's winner, which is added to the stored winners.
struct FoundWinner {
    Winner winner;
    bool all_competed = true; // false: it does not replace a faster winner
    friend bool operator==(const FoundWinner&, const FoundWinner&) = default;
};

// A source that the user wrote in the window.
struct SourceText {
    std::string text;
    friend bool operator==(const SourceText&, const SourceText&) = default;
};

struct SaveResult {
    bool written = false; // false: the file already has a better value
    std::string notice;   // sentence about the previous content; otherwise empty
};

struct SaveTask {
    std::filesystem::path path;
    std::variant<RecordingPtr, FoundWinner, GpuFacts, SourceText> what;

    using Result = SaveResult;
    SaveResult run(const TaskContext&) const { return write(); }
    SaveResult write() const;
    std::string name() const { return "saving"; }
    double seconds_allowed(const MachineFacts&) const { return 60; }
    static constexpr bool completes = true;
    static constexpr std::size_t most_kept = 0;
    friend bool operator==(const SaveTask&, const SaveTask&) = default;
};

} // namespace app
