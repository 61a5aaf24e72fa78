// A second window on the same state, of a process of its own, for the projector: what this one shows it reads from a file that
// the first one writes whenever it shows something else.
#pragma once

#include "app/session/file_watch.h"
#include "app/shell/options.h"
#include "app/state/state_files.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace app {

class Projector {
public:
    Projector(const WindowOptions& options, std::function<void()> wake);
    ~Projector(); // the second window closes
    Projector(const Projector&) = delete;
    Projector& operator=(const Projector&) = delete;

    // Opens the second window. Returns why it cannot be; empty: it comes.
    std::string open(const SavedState& state);
    void tell(const SavedState& state);       // each frame
    bool waits() const { return !told_all_; } // something was not told yet

    bool follows() const { return watch_ != nullptr; } // this is the second one
    std::optional<SavedState> news();
    bool over() const { return over_; } // the first one is closed

private:
    std::function<void()> wake_;
    StateFiles files_;
    std::filesystem::path file_; // written; empty: there is no second window
    std::string told_;
    std::chrono::steady_clock::time_point told_at_;
    bool told_all_ = true, over_ = false;
    std::unique_ptr<FileWatch> watch_;
};

} // namespace app
