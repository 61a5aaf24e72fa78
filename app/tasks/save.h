// Task that writes a value to its file, completely or not at all.
#pragma once

#include "app/catalogue/gpu.h"
#include "app/catalogue/tuned.h"
#include "app/tasks/context.h"

#include <filesystem>
#include <variant>

namespace app {

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
    std::string name() const;
    double seconds_allowed(const MachineFacts& machine) const;
    static constexpr bool completes = true;
    static constexpr std::size_t most_kept = 0;
    friend bool operator==(const SaveTask&, const SaveTask&) = default;
};

} // namespace app
