// What the window begins with, and files that are opened in it and written by it.
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

// What a window is opened with.
struct WindowOptions {
    // What the patch was made from: single options, which leave the rest as a window begins; the words of --show; or a
    // saved state, which has the panels, too.
    enum class Source : uint8_t { options, words, saved_state };
    Patch show; // what is shown first
    Source source = Source::options;
    std::string lesson;                 // that is open, by its slug, or SLUG:STEP from 1; empty: none
    bool may_welcome = false;           // nothing was asked for: the first page may come
    std::optional<std::string> backend; // "cuda" or "cpu"; default: the best there is
    std::optional<bool> light;          // default: as saved, else dark
    std::optional<float> scale;         // default: the monitor's times the saved one
    WorkerChoice worker;                // who does the work
    std::shared_ptr<const Visit> visit; // null: for a person at this machine
    std::shared_ptr<Seat> seat;         // in a class; null: in none
};

// `wake`: see there.
SessionOptions session_options(const WindowOptions& options, std::function<void()> wake);

// Saved states and tables, written and read on another thread.
class StateFiles {
public:
    // `visit`: whose files they are, which are then offered as downloads; null: of a person at this machine.
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
    std::optional<Outcome> take();                            // what came of the oldest request, once
    std::filesystem::path folder() const;                     // where files are saved
    bool busy() const { return work_ != nullptr; }

private:
    void request(std::function<Outcome()> work);
    void begin(); // the oldest request, where nothing is under way
    std::function<std::string(const std::filesystem::path&)> saved_words()
        const; // of a file that was saved, as a sentence

    std::function<void()> wake_;
    std::shared_ptr<const Visit> visit_;
    std::deque<std::function<Outcome()>> waiting_;
    std::unique_ptr<Background<Outcome>> work_;
};

// Throws kernels::Error that names the valid ones.
void refuse_unknown_view(const std::vector<std::unique_ptr<viz::View>>& views, const std::string& name);

// The place, the lesson, the quiz or the saved state that the options name. Throws kernels::Error for one that there is
// not.
void open_at_start(Session& session, State& state, const WindowOptions& options);

// A recording, a CUDA source or a saved state; of others the status line says what can be opened.
void open_file(Session& session, State& state, StateFiles& files, const std::filesystem::path& file);

// What became of saving and opening states.
void take_outcome(Session& session, State& state, StateFiles& files);

} // namespace app
