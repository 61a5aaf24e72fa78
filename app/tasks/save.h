// Task: write something to its file, whole or not at all.
#pragma once

#include "app/catalogue/gpu.h"
#include "app/catalogue/tuned.h"
#include "app/tasks/context.h"

#include <filesystem>
#include <variant>

namespace app {

// To be kept among the winners of searches.
struct FoundWinner {
    Winner winner;
    bool all_competed = true; // else it replaces none that is faster
    friend bool operator==(const FoundWinner&, const FoundWinner&) = default;
};

// A source that a person wrote in the window.
struct SourceText {
    std::string text;
    friend bool operator==(const SourceText&, const SourceText&) = default;
};

struct SaveResult {
    bool written = false; // false: what is there is better
    std::string notice;   // a sentence about what was there before; else empty
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
