// Starting another program with pipes to its standard streams, and what that needs.
#pragma once

#include "recording/disk.h"

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

// Blocks SIGPIPE during its lifetime. Writing to a pipe without a reader then fails with an error code instead of
// ending the process.
class NoPipeSignal {
public:
    NoPipeSignal()
    {
        sigemptyset(&pipe_);
        sigaddset(&pipe_, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    NoPipeSignal(const NoPipeSignal&) = delete;
    NoPipeSignal& operator=(const NoPipeSignal&) = delete;
    ~NoPipeSignal()
    {
        constexpr timespec at_once{};
        if (sigismember(&before_, SIGPIPE) == 0)
            while (sigtimedwait(&pipe_, nullptr, &at_once) == SIGPIPE) {
            }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

private:
    sigset_t pipe_{}, before_{};
};

// The last output of a process, for a sentence that says why the process failed.
class LastWords {
public:
    void add(std::string_view text);
    void clear() { text_.clear(); }

    // Returns the last informative line. Ignores the line with which a shell reports a signal at the end.
    std::string line() const;

private:
    std::string text_;
};

// A child process with pipes to its standard streams. It ends when this object is destroyed.
class ChildProcess {
public:
    // Starts the process. Throws kernels::Error with a sentence if it cannot be started. The process gets a session of
    // its own: Ctrl-C in a terminal does not reach it, and the processes it starts end with it.
    explicit ChildProcess(const std::vector<std::string>& command);
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    ~ChildProcess(); // kills the process

    pid_t id() const { return id_; }
    recording::FileDescriptor take_in() { return std::move(in_); } // its standard input
    int out() const { return out_.get(); }                         // its standard output
    void close_out() { out_.close(); }
    int err() const { return err_.get(); }

    void kill();
    struct Ending {
        std::string how;           // "it was ended by signal 11 (Segmentation fault)"
        bool from_outside = false; // its own actions are not the reason: it was killed, or a connection broke
    };
    // Waits up to `patience` for the process to end and says how it ended. Returns "it no longer answers" if it is
    // still running.
    Ending ending(std::chrono::milliseconds patience);

private:
    bool ended(std::chrono::milliseconds patience);

    pid_t id_ = -1;
    bool ended_ = false;
    int status_ = 0;
    long most_kilobytes_ = 0; // peak memory use
    recording::FileDescriptor in_, out_, err_;
};

} // namespace app
