#include "app/session/file_watch.h"

#include <sys/stat.h>

#include <chrono>
#include <utility>

namespace app {

namespace {

constexpr std::chrono::milliseconds between_looks{200};

// Returns nothing if there is no file, for example for a moment while an editor replaces it.
std::optional<FileWatch::Written> written(const std::filesystem::path& file)
{
    struct stat found {};
    if (stat(file.c_str(), &found) != 0)
        return {};
    return FileWatch::Written{found.st_mtim.tv_sec, found.st_mtim.tv_nsec, found.st_ino, found.st_size};
}

} // namespace

FileWatch::FileWatch(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this](const std::stop_token& stop) { look(stop); })
{
}

void FileWatch::watch(const std::optional<std::filesystem::path>& file)
{
    if (file == file_)
        return;
    file_ = file;
    const std::lock_guard lock(mutex_);
    watched_ = file;
    written_.reset();
    changed_ = false;
    woken_.notify_all();
}

bool FileWatch::changed()
{
    const std::lock_guard lock(mutex_);
    return std::exchange(changed_, false);
}

void FileWatch::forgive()
{
    const std::lock_guard lock(mutex_);
    written_.reset();
    changed_ = false;
}

void FileWatch::look(const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        if (!watched_) {
            woken_.wait(lock, stop, [this] { return watched_.has_value(); });
            continue;
        }
        const std::filesystem::path file = *watched_;
        lock.unlock();
        const auto now = written(file);
        lock.lock();
        if (watched_ == file && now) {
            const bool is_new = written_ && *written_ != *now;
            written_ = now;
            if (is_new) {
                changed_ = true;
                lock.unlock();
                wake_();
                lock.lock();
            }
        }
        woken_.wait_for(lock, stop, between_looks, [this, &file] { return watched_ != file; });
    }
}

} // namespace app
