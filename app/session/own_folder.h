// Lists the user's CUDA files in one folder. Scans the folder periodically, so that new files appear.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace app {

class OwnFolder {
public:
    // Calls `wake` on another thread when the list changed.
    OwnFolder(std::filesystem::path folder, std::function<void()> wake);

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

} // namespace app
