// A person's own CUDA files: those in one folder, looked through now and then, so that one which appears is seen.
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
    // `wake` is called, on another thread, when files() has become another list.
    OwnFolder(std::filesystem::path folder, std::function<void()> wake);

    const std::filesystem::path& path() const { return folder_; }
    const std::vector<std::filesystem::path>& files() const { return files_; }
    bool poll(); // takes what was found; true where it is another list

private:
    void look(const std::stop_token& stop);

    std::filesystem::path folder_;
    std::function<void()> wake_;
    std::vector<std::filesystem::path> files_; // of the caller's thread
    std::mutex mutex_;
    std::condition_variable_any stopped_;
    std::vector<std::filesystem::path> found_;
    std::jthread thread_; // last: it uses the others
};

} // namespace app
