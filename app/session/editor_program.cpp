#include "app/session/editor_program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace app {

namespace {

// Quotes any text as one word of a shell command.
std::string quoted(const std::string& text)
{
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
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

std::string editor_command(const std::string& visual, const std::function<bool(const std::string&)>& has,
                           const std::filesystem::path& file, uint32_t line)
{
    constexpr std::array<std::string_view, 4> with_place = {"code", "codium", "code-insiders", "cursor"};
    constexpr std::array<std::string_view, 7> in_a_terminal = {"vi", "vim", "nvim", "nano", "micro", "hx", "joe"};
    constexpr std::array<std::string_view, 4> with_plus = {"gvim", "emacs", "emacsclient", "gedit"};
    const std::string name_of_file =
        // Uses the absolute path, because editors do not take a leading '+' or '-' as the start of a file name.
        std::filesystem::absolute(file).string();
    const std::string at = quoted(name_of_file);
    const std::string editor = !visual.empty() ? visual : has("code") ? "code" : has("xdg-open") ? "xdg-open" : "";
    if (editor.empty())
        return "";
    const std::string first = editor.substr(0, editor.find(' ')), name = first.substr(first.rfind('/') + 1);
    if (is_one_of(name, with_place))
        return fmt::format("{} -g {}", editor, quoted(fmt::format("{}:{}", name_of_file, line)));
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
