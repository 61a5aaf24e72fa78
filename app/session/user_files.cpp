#include "app/session/user_files.h"

#include "app/text/command_words.h"

#include "own/own_stage.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <string_view>
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

bool is_installed(const std::string& program)
{
    const char* path = std::getenv("PATH");
    std::string_view rest = path != nullptr ? path : "";
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::string file = fmt::format("{}/{}", rest.substr(0, end), program);
        if (end > 0 && access(file.c_str(), X_OK) == 0)
            return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

template <std::size_t count>
bool is_one_of(std::string_view name, const std::array<std::string_view, count>& names)
{
    return std::ranges::find(names, name) != names.end();
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

UserFolder::UserFolder(std::filesystem::path folder, std::function<void()> wake)
    : folder_(std::move(folder)), wake_(std::move(wake)), thread_([this](const std::stop_token& stop) { look(stop); })
{
}

bool UserFolder::poll()
{
    const std::lock_guard lock(mutex_);
    if (found_ == files_)
        return false;
    files_ = found_;
    return true;
}

void UserFolder::look(const std::stop_token& stop)
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

std::string editor_command(const std::string& visual, const std::function<bool(const std::string&)>& has,
                           const std::filesystem::path& file, uint32_t line)
{
    constexpr std::array<std::string_view, 4> with_place = {"code", "codium", "code-insiders", "cursor"};
    constexpr std::array<std::string_view, 7> in_a_terminal = {"vi", "vim", "nvim", "nano", "micro", "hx", "joe"};
    constexpr std::array<std::string_view, 4> with_plus = {"gvim", "emacs", "emacsclient", "gedit"};
    const std::string name_of_file =
        // Uses the absolute path, because editors do not take a leading '+' or '-' as the start of a file name.
        std::filesystem::absolute(file).string();
    const std::string at = quoted_for_shell(name_of_file);
    const std::string editor = !visual.empty() ? visual : has("code") ? "code" : has("xdg-open") ? "xdg-open" : "";
    if (editor.empty())
        return "";
    const std::string first = editor.substr(0, editor.find(' ')), name = first.substr(first.rfind('/') + 1);
    if (is_one_of(name, with_place))
        return fmt::format("{} -g {}", editor, quoted_for_shell(fmt::format("{}:{}", name_of_file, line)));
    if (is_one_of(name, in_a_terminal))
        return fmt::format("x-terminal-emulator -e {} +{} {}", editor, line, at);
    if (is_one_of(name, with_plus))
        return fmt::format("{} +{} {}", editor, line, at);
    return fmt::format("{} {}", editor, at);
}

bool open_in_editor(const std::filesystem::path& file, uint32_t line)
{
    const char* visual = std::getenv("VISUAL");
    const std::string command = editor_command(visual != nullptr ? visual : "", is_installed, file, line);
    if (command.empty())
        return false;
    std::string shell = "/bin/sh", option = "-c", words = "exec setsid " + command;
    std::array<char*, 4> arguments = {shell.data(), option.data(), words.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    pid_t process = -1;
    const int error = posix_spawn(&process, shell.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        return false;
    std::thread([process] { waitpid(process, nullptr, 0); }).detach(); // reaps the process
    return true;
}

} // namespace app
