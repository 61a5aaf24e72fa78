#include "app/engine/child_process.h"

#include "app/text/tell.h"

#include "error.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <thread>
#include <utility>

namespace app {

void LastWords::add(std::string_view text)
{
    constexpr std::size_t most = 4096;
    text_ += text;
    text_.erase(0, text_.size() - std::min(text_.size(), most));
}

std::string LastWords::line() const
{
    std::string line;
    for (std::size_t begin = 0; begin < text_.size();) {
        const std::size_t end = std::min(text_.find('\n', begin), text_.size());
        const std::string one = harmless(std::string_view(text_).substr(begin, end - begin));
        if (one.find_first_not_of(' ') != std::string::npos && one != "Aborted" && one != "Segmentation fault")
            line = one.substr(0, whole_characters(std::string_view(one).substr(0, 300)));
        begin = end + 1;
    }
    return line;
}

namespace {

struct Pipe {
    recording::FileDescriptor read, write;
};

Pipe make_pipe()
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw kernels::Error(fmt::format("No pipe could be made ({}); close other programs.", std::strerror(errno)));
    return {recording::FileDescriptor(ends[0]), recording::FileDescriptor(ends[1])};
}

// Attributes of a started program: no blocked signals, default signal actions, and a session of its own.
class Attributes {
public:
    Attributes()
    {
        posix_spawnattr_init(&own_);
        sigset_t none, usual;
        sigemptyset(&none);
        sigemptyset(&usual);
        sigaddset(&usual, SIGINT);
        sigaddset(&usual, SIGPIPE);
        posix_spawnattr_setsigmask(&own_, &none);
        posix_spawnattr_setsigdefault(&own_, &usual);
        posix_spawnattr_setflags(&own_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;
    ~Attributes() { posix_spawnattr_destroy(&own_); }
    const posix_spawnattr_t* get() const { return &own_; }

private:
    posix_spawnattr_t own_{};
};

class ChildStreams {
public:
    ChildStreams(const Pipe& in, const Pipe& out, const Pipe& err)
    {
        posix_spawn_file_actions_init(&own_);
        posix_spawn_file_actions_adddup2(&own_, in.read.get(), STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&own_, out.write.get(), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&own_, err.write.get(), STDERR_FILENO);
    }
    ChildStreams(const ChildStreams&) = delete;
    ChildStreams& operator=(const ChildStreams&) = delete;
    ~ChildStreams() { posix_spawn_file_actions_destroy(&own_); }
    const posix_spawn_file_actions_t* get() const { return &own_; }

private:
    posix_spawn_file_actions_t own_{};
};

} // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command)
{
    Pipe in = make_pipe(), out = make_pipe(), err = make_pipe();
    std::vector<char*> arguments;
    for (const std::string& word : command)
        arguments.push_back(const_cast<char*>(word.c_str())); // posix_spawn takes non-const pointers but does not write
    arguments.push_back(nullptr);
    const ChildStreams streams(in, out, err);
    const Attributes attributes;
    const int error = posix_spawnp(&id_, arguments[0], streams.get(), attributes.get(), arguments.data(), environ);
    if (error != 0) {
        id_ = -1;
        throw kernels::Error(fmt::format("{} could not be started: {}.", command[0], std::strerror(error)));
    }
    in_ = std::move(in.write);
    out_ = std::move(out.read);
    err_ = std::move(err.read);
}

ChildProcess::~ChildProcess()
{
    in_.close();
    kill();
    // A driver may need seconds to release the device. A thread waits for that, because the process would otherwise
    // remain as a zombie until this program ends.
    if (!ended(std::chrono::milliseconds(300)))
        std::thread([id = id_] { waitpid(id, nullptr, 0); }).detach();
}

void ChildProcess::kill()
{
    if (id_ > 0 && !ended_)
        ::kill(-id_, SIGKILL);
}

bool ChildProcess::ended(std::chrono::milliseconds patience)
{
    const auto until = std::chrono::steady_clock::now() + patience;
    rusage used{};
    while (!ended_) {
        const pid_t found = wait4(id_, &status_, WNOHANG, &used);
        ended_ = found == id_ || (found < 0 && errno != EINTR);
        if (ended_ || std::chrono::steady_clock::now() >= until)
            break;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    most_kilobytes_ = std::max(most_kilobytes_, used.ru_maxrss);
    return ended_;
}

ChildProcess::Ending ChildProcess::ending(std::chrono::milliseconds patience)
{
    if (!ended(patience))
        return {"it no longer answers", true};
    const int status = WIFSIGNALED(status_) ? 0 : WEXITSTATUS(status_);
    const int signal = WIFSIGNALED(status_) ? WTERMSIG(status_)
                       // A shell reports a signal as 128 + its number.
                       : status > 128 && status < 128 + NSIG ? status - 128
                                                             : 0;
    const bool memory =
        signal == SIGKILL && most_kilobytes_ > sysconf(_SC_PHYS_PAGES) / 4 * (sysconf(_SC_PAGESIZE) / 1024);
    if (memory)
        return {"the system ended it for want of memory", false};
    if (signal != 0)
        return {fmt::format("it was ended by signal {} ({})", signal, strsignal(signal)),
                signal == SIGKILL || signal == SIGTERM || signal == SIGHUP};
    return {fmt::format("it ended with status {}", status), true};
}

} // namespace app
