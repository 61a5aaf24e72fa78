// Saved states, written and read beside the window.
#pragma once

#include "app/worker/background.h"
#include "app/workspace/state_file.h"

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace app {

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
