// The window as it is, as a place and as a saved state; and back.
#pragma once

#include "app/learn/saved_state.h"
#include "app/state/state.h"
#include "app/worker/background.h"

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace app {

// What is shown. A version of a file that was run before is part of a saved state alone.
Place place_of(const Snapshot& snapshot, const State& state);
SavedState saved_state(const Snapshot& snapshot, const State& state);

CodeView code_named(std::string_view name); // as --code has it; off for others

// Shows it as soon as its recordings are there; what cannot be shown goes to the status line.
void show(Session& session, State& state, const SavedState& saved);

// Writes and reads saved states beside the window.
class StateFiles {
public:
    explicit StateFiles(std::function<void()> wake) : wake_(std::move(wake)) {}

    struct Outcome {
        std::string notice; // a sentence
        std::filesystem::path file;
        std::optional<SavedState> opened;
    };

    void save(SavedState state, std::filesystem::path file, bool packs = true);
    void open(std::filesystem::path file);
    void write(std::string text, std::filesystem::path file); // any other text
    std::optional<Outcome> take();                            // what came of the oldest wish, once
    bool busy() const { return work_ != nullptr; }

private:
    void wish(std::function<Outcome()> work);
    void begin(); // the oldest wish, where nothing is under way

    std::function<void()> wake_;
    std::deque<std::function<Outcome()>> waiting_;
    std::unique_ptr<Background<Outcome>> work_;
};

} // namespace app
