// The initial state of the window, and the files that it opens and writes.
#pragma once

#include "app/engine/background.h"
#include "app/engine/worker.h"
#include "app/learn/lecture.h"
#include "app/panels/navigation.h"
#include "app/workspace/state_file.h"

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace app {

// The options of a new window.
struct WindowOptions {
    // The origin of the patch: single options, where the rest has the window's defaults; the text of --show; or a saved
    // state, which also contains the panels.
    enum class Source : uint8_t { options, words, saved_state };
    Patch show; // the initial place
    Source source = Source::options;
    std::string lesson;                 // open lesson: its slug, or SLUG:STEP with steps from 1; empty: none
    bool may_welcome = false;           // no options were given, so the first page may be shown
    std::optional<std::string> backend; // "cuda" or "cpu"; default: the best available
    std::optional<bool> light;          // default: the saved theme, otherwise dark
    std::optional<float> scale;         // default: the monitor's scale times the saved one
    WorkerChoice worker;                // runs the tasks
    std::shared_ptr<const Visit> visit; // null: the user is at this machine
    std::shared_ptr<Seat> seat;         // the window's seat in a class; null: none
};

// `wake`: see SessionOptions.
SessionOptions session_options(const WindowOptions& options, std::function<void()> wake);

// Reads and writes saved states and tables on another thread.
class StateFiles {
public:
    // `visit` is the visitor whose files are offered as downloads; null if the user is at this machine.
    StateFiles(std::function<void()> wake, std::shared_ptr<const Visit> visit)
        : wake_(std::move(wake)), visit_(std::move(visit))
    {
    }

    struct Outcome {
        std::string notice; // a sentence
        std::filesystem::path file;
        std::optional<SavedState> opened;
    };

    void save(SavedState state, std::filesystem::path file, bool packs = true);
    void open(std::filesystem::path file);
    void write(std::string text, std::filesystem::path file); // any other text
    std::optional<Outcome> take();                            // returns the result of the oldest request, once
    std::filesystem::path folder() const;                     // folder for saved files
    bool busy() const { return work_ != nullptr; }

private:
    void request(std::function<Outcome()> work);
    void begin(); // starts the oldest request if none is in progress
    std::function<std::string(const std::filesystem::path&)> saved_words()
        const; // makes the sentence about a saved file

    std::function<void()> wake_;
    std::shared_ptr<const Visit> visit_;
    std::deque<std::function<Outcome()>> waiting_;
    std::unique_ptr<Background<Outcome>> work_;
};

// Throws kernels::Error that names the valid ones.
void refuse_unknown_view(const std::vector<std::unique_ptr<viz::View>>& views, const std::string& name);

// Opens the place, the lesson, the quiz or the saved state that the options name. Throws kernels::Error if it does not
// exist.
void open_at_start(Session& session, State& state, const WindowOptions& options);

// Opens a recording, a CUDA source or a saved state. For any other file the status line lists these kinds.
void open_file(Session& session, State& state, StateFiles& files, const std::filesystem::path& file);

// Applies the results of finished requests.
void take_outcome(Session& session, State& state, StateFiles& files);

} // namespace app
