// CUDA files that the user edits in the window. What the user types is saved and run, and each version that ran is
// stored.
#pragma once

#include "app/engine/background.h"
#include "app/session/file_history.h"
#include "app/session/recordings.h"
#include "app/session/user_files.h"

#include "own/copy.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace app {

// Whether main() of the shown CUDA file may run. It is native code, so the user is asked once per file and session; the
// answer is not kept in settings, saved states or links.
enum class MainAnswer : uint8_t {
    none, // there is no main(), or nvcc, which compiles it, is not installed
    open, // the user was not asked yet
    no,
    yes
};

// The text of each file, read on another thread.
class SeenSource {
public:
    // Returns the task with the file's text filled in. Reads the file in this process, wherever the worker is. Throws
    // kernels::Error.
    Task with_text(const Task& task);
    std::shared_ptr<const std::string> text_of(const std::filesystem::path& file) const; // null: not read yet

private:
    mutable std::mutex mutex_;
    std::map<std::filesystem::path, std::shared_ptr<const std::string>> texts_;
};

class Sources {
public:
    // `folder` holds the user's files; empty: none.
    Sources(Engine& engine, std::shared_ptr<SeenSource> seen, std::filesystem::path folder, std::function<void()> wake);

    // Saves the file with this text, which runs from now on.
    void write(const std::filesystem::path& file, std::string text);
    // Creates a user file with a sample kernel. Returns nothing if there is no folder for it.
    std::optional<std::filesystem::path> begin(const kernels::Sample& sample);
    // Copies a stage of the ladder under a free name. Returns nothing if there is no folder for it.
    std::optional<std::filesystem::path> copy(const kernels::Stage& stage);
    void read_again() { text_.reset(); } // uses the file's content on disk
    bool typed(const Choice& choice) const { return choice.columns[0].file == file_ && text_ != nullptr; }

    MainAnswer main_answer(const Choice& choice) const;
    // Keeps the answer for the shown file: this launch of its main is recorded; empty: its kernel alone is run.
    void answer_main(const Choice& choice, std::optional<ChosenLaunch> launch);
    // Sets how a kernel of the shown file is launched, as long as the window is open.
    void launch_as(const Choice& choice, const traced::Request& request);
    const traced::Request* launch_of(const Choice& choice) const; // null: as the file's text says

    RecordingRequest wanted(const Choice& choice,
                            const std::filesystem::path& file) const;   // for the first or second column
    std::optional<RecordingRequest> second(const Choice& choice) const; // the previous version, otherwise another file
    // Returns the file that stores the versions of the chosen file; empty: none.
    std::filesystem::path kept_in(const Choice& choice) const;

    // Adds a run of the source to its file's versions. Returns the number of the previous version if the run is a new
    // version. Returns nothing if it is the last version, or if the source has not run.
    std::optional<uint64_t> take(const Choice& choice, const ShownRecording& shown);

    // Returns the file's text for editing; null: not read yet.
    std::shared_ptr<const std::string> text(const Choice& choice) const;

    bool saving() const { return saving_.has_value(); }
    // Returns true when the save in progress has ended, successfully or not.
    bool turn();
    bool poll();
    std::string take_notice() { return std::exchange(notice_, {}); } // why something was not written

    const FileHistory& versions() const { return versions_; }
    const UserFolder& own() const { return own_; }

private:
    struct Answer {
        std::optional<ChosenLaunch> launch;      // none: the answer was no
        std::shared_ptr<const std::string> text; // the answer is for this text alone; null: for whatever the file has
    };
    const Answer* answer_of(const std::filesystem::path& file) const;
    // Adds the user's launch of a kernel of the file, and main() if the user permitted it.
    void add_launch_choices(RunFileTask& run) const;

    std::optional<std::filesystem::path> make(const std::string& base,
                                              const std::function<std::string(const std::string&)>& text);

    Engine& engine_;
    std::shared_ptr<SeenSource> seen_;
    std::filesystem::path file_;               // the file that was written last
    std::shared_ptr<const std::string> text_;  // its text; null: the content on disk
    std::optional<SaveTask> saving_, keeping_; // writes of the file and of its versions
    std::string notice_;
    FileHistory versions_;
    std::map<std::filesystem::path, Answer> answers_;
    std::map<std::filesystem::path, traced::Request> launches_;
    bool knows_kept_ = false;
    UserFolder own_;
    Background<std::vector<FileVersionPtr>> kept_; // versions of earlier sessions
};

} // namespace app
