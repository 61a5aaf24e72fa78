// Whether a file was written since it was read: so that one who edits a kernel sees it anew at every save.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace app {

class FileWatch {
public:
    // What another text of a file changes. Its time alone is not enough: a kernel's clock ticks a few hundred times a second, and two
    // states of a window were written within one tick. A file that takes the place of another has another number.
    struct Written {
        int64_t seconds = 0, nanoseconds = 0;
        uint64_t number = 0;
        int64_t bytes = 0;
        friend bool operator==(const Written&, const Written&) = default;
    };

    // `wake` is called, on another thread, when changed() has something new.
    explicit FileWatch(std::function<void()> wake);

    // From now on this file, or none. What is found at first is not new.
    void watch(const std::optional<std::filesystem::path>& file);
    const std::optional<std::filesystem::path>& file() const { return file_; }

    bool changed(); // since it was asked last
    void forgive(); // what was written until now: we wrote it

private:
    void look(const std::stop_token& stop); // on a thread of its own: a file system may be slow

    std::function<void()> wake_;
    std::optional<std::filesystem::path> file_; // of the caller's thread
    std::mutex mutex_;
    std::condition_variable_any woken_;
    std::optional<std::filesystem::path> watched_;
    std::optional<Written> written_;
    bool changed_ = false;
    std::jthread thread_; // last: it uses the others
};

} // namespace app
