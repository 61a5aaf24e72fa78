#include "app/shell/projector.h"

#include "app/catalogue/config_folder.h"

#include "viz/text/templates.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>
#include <thread>
#include <utility>

namespace app {

namespace {

constexpr std::chrono::milliseconds between{100};

// In memory, where there is a folder for that.
std::filesystem::path shared_file()
{
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    std::error_code ignored;
    const std::filesystem::path folder =
        runtime != nullptr && std::filesystem::is_directory(runtime, ignored) ? runtime : data_folder();
    return folder.empty() ? folder : folder / fmt::format("gemmscope-{}.gstate", getpid());
}

bool start(std::vector<std::string> words)
{
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::vector<char*> environment; // but for what a test reads of the first window
    for (char** variable = environ; *variable != nullptr; ++variable)
        if (!std::string_view(*variable).starts_with("GEMMSCOPE_WINDOW_STATE="))
            environment.push_back(*variable);
    environment.push_back(nullptr);
    pid_t process = -1;
    if (posix_spawn(&process, "/proc/self/exe", nullptr, nullptr, arguments.data(), environment.data()) != 0)
        return false;
    std::thread([process] { waitpid(process, nullptr, 0); }).detach(); // so that nothing is left of it
    return true;
}

} // namespace

Projector::Projector(const WindowOptions& options, std::function<void()> wake) : wake_(std::move(wake)), files_(wake_)
{
    if (!options.follow)
        return;
    watch_ = std::make_unique<FileWatch>(wake_);
    watch_->watch(options.follow, true); // it may have been written since this process read it
}

Projector::~Projector()
{
    std::error_code ignored; // it may be gone
    if (!file_.empty())
        std::filesystem::remove(file_, ignored);
}

std::string Projector::open(const SavedState& state)
try {
    if (file_.empty())
        file_ = shared_file();
    if (file_.empty())
        return viz::plain({"session.no_projector_folder"});
    std::filesystem::create_directories(file_.parent_path());
    write_state(state, file_, false);
    told_ = to_text(state);
    std::vector<std::string> words{"gemmscope", "--follow", file_.string()};
    return start(std::move(words)) ? "" : viz::plain({"session.no_projector"});
} catch (const std::exception& error) {
    return error.what();
}

void Projector::tell(const SavedState& state)
{
    if (file_.empty()) // what the second window reads is taken by news() alone
        return;
    files_.take();
    std::string text = to_text(state);
    told_all_ = text == told_;
    const auto now = std::chrono::steady_clock::now();
    if (told_all_ || files_.busy() || now - told_at_ < between)
        return;
    told_ = std::move(text);
    told_at_ = now;
    told_all_ = true;
    files_.save(state, file_, false);
}

std::optional<SavedState> Projector::news()
{
    if (watch_ == nullptr)
        return {};
    std::error_code ignored;
    over_ = !std::filesystem::exists(*watch_->file(), ignored);
    if (watch_->changed())
        files_.open(*watch_->file());
    const auto outcome = files_.take();
    return outcome ? outcome->opened : std::nullopt;
}

} // namespace app
