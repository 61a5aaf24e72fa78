#include "app/session/own_folder.h"

#include "own/own_stage.h"

#include <chrono>
#include <utility>

namespace app {

OwnFolder::OwnFolder(std::filesystem::path folder, std::function<void()> wake)
    : folder_(std::move(folder)), wake_(std::move(wake)), thread_([this](const std::stop_token& stop) { look(stop); })
{
}

bool OwnFolder::poll()
{
    const std::lock_guard lock(mutex_);
    if (found_ == files_)
        return false;
    files_ = found_;
    return true;
}

void OwnFolder::look(const std::stop_token& stop)
{
    while (!stop.stop_requested() && !folder_.empty()) {
        std::vector<std::filesystem::path> files = kernels::own_stage_files(folder_);
        std::unique_lock lock(mutex_);
        if (files != found_) {
            found_ = std::move(files);
            lock.unlock();
            wake_();
            lock.lock();
        }
        stopped_.wait_for(lock, stop, std::chrono::milliseconds(400), [] { return false; });
    }
}

} // namespace app
