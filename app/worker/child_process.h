// A program that was started with pipes to its standard streams, for as long as this lives.
#pragma once

#include "recording/disk.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace app {

class ChildProcess {
public:
    // Throws kernels::Error in a sentence where it cannot be started. In a session of its own: Ctrl-C in a terminal is not
    // for it, and what it starts ends with it.
    explicit ChildProcess(const std::vector<std::string>& command);
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    ~ChildProcess(); // ends it

    pid_t id() const { return id_; }
    recording::FileDescriptor take_in() { return std::move(in_); } // where it reads
    int out() const { return out_.get(); }                         // what it writes
    void close_out() { out_.close(); }
    int err() const { return err_.get(); }

    void kill();
    struct Ending {
        std::string how;           // "it was ended by signal 11 (Segmentation fault)"
        bool from_outside = false; // what it did is no reason: somebody killed it, or a connection broke
    };
    // Of one that has not ended after so long: "it no longer answers".
    Ending ending(std::chrono::milliseconds patience);

private:
    bool ended(std::chrono::milliseconds patience);

    pid_t id_ = -1;
    bool ended_ = false;
    int status_ = 0;
    long most_kilobytes_ = 0; // of memory that it had at once
    recording::FileDescriptor in_, out_, err_;
};

} // namespace app
