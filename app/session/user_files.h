// The user's CUDA files: which there are, when one was written, and the editor that opens them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace app {

// Watches whether a file was written since it was read, so that a kernel is shown anew after every save in an editor.
class FileWatch {
public:
    // Values that change when a file's content changes. The time alone is not enough: the operating system's clock
    // ticks a few hundred times per second, and two saved states of the window were written within one tick. A file
    // that replaces another one has another inode number.
    struct Written {
        int64_t seconds = 0, nanoseconds = 0;
        uint64_t number = 0;
        int64_t bytes = 0;
        friend bool operator==(const Written&, const Written&) = default;
    };

    // Calls `wake` on another thread when changed() has something new.
    explicit FileWatch(std::function<void()> wake);

    // Watches this file from now on, or none. Its initial state does not count as a change.
    void watch(const std::optional<std::filesystem::path>& file);
    const std::optional<std::filesystem::path>& file() const { return file_; }

    bool changed(); // since the last call
    void forgive(); // ignores everything written until now, because this program wrote it

private:
    void look(const std::stop_token& stop); // on its own thread, because a file system may be slow

    std::function<void()> wake_;
    std::optional<std::filesystem::path> file_; // used by the caller's thread only
    std::mutex mutex_;
    std::condition_variable_any woken_;
    std::optional<std::filesystem::path> watched_;
    std::optional<Written> written_;
    bool changed_ = false;
    std::jthread thread_; // last, because it uses the other members
};

// Lists the user's CUDA files in one folder. Scans the folder periodically, so that new files appear.
class UserFolder {
public:
    // Calls `wake` on another thread when the list changed.
    UserFolder(std::filesystem::path folder, std::function<void()> wake);

    const std::filesystem::path& path() const { return folder_; }
    const std::vector<std::filesystem::path>& files() const { return files_; }
    bool poll(); // takes the scanned list; returns whether it changed

private:
    void look(const std::stop_token& stop);

    std::filesystem::path folder_;
    std::function<void()> wake_;
    std::vector<std::filesystem::path> files_; // used by the caller's thread only
    std::mutex mutex_;
    std::condition_variable_any stopped_;
    std::vector<std::filesystem::path> found_;
    std::jthread thread_; // last, because it uses the other members
};

// Returns the shell command of the editor: $VISUAL, otherwise `code`, otherwise the desktop's default program. Returns
// an empty string if none exists. `has` tells whether a program exists.
std::string editor_command(const std::string& visual, const std::function<bool(const std::string&)>& has,
                           const std::filesystem::path& file, uint32_t line);

// Starts the editor without waiting for it. Returns false if there is none.
bool open_in_editor(const std::filesystem::path& file, uint32_t line);

} // namespace app
