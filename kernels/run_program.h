// Runs another program. No shell interprets its arguments, so nothing in them is ever a command.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kernels {

struct ProgramCall {
    std::vector<std::string> words;    // the program (a path, or a name to find in PATH) and its arguments
    std::filesystem::path folder = {}; // the working directory; empty: that of this process
    // "NAME=VALUE" entries that replace this process's variables of the same name
    std::vector<std::string> environment = {};
    // Whether the output includes standard error, which is discarded otherwise.
    bool takes_errors = true;
};

struct ProgramOutput {
    bool found = false; // false if there is no such program
    bool good = false;  // true if it exited with status 0
    std::string text;
};

ProgramOutput run_program(ProgramCall call);

// Where start_program() directs the streams of a program. Its standard output goes to the descriptor `output`. Without
// `apart`, it shares this process's standard error and input. With `apart`, its standard error also goes to `output`,
// and its input is empty.
struct ProgramStreams {
    int output = 1;
    bool apart = false;
};
// Starts a program, which is searched for in PATH, and returns its process id without waiting for it. Throws Error.
int start_program(std::vector<std::string> words, std::vector<std::string> environment, ProgramStreams streams = {});

// Passes a program's output to `take` while the program runs. Without `take` the program shares the streams of this
// process. With `to_errors`, its standard output then goes to this process's standard error.
class TakenOutput {
public:
    using Take = std::function<void(std::string_view)>;

    TakenOutput(Take take, bool to_errors); // throws Error if no pipe can be made
    ~TakenOutput();
    TakenOutput(const TakenOutput&) = delete;
    TakenOutput& operator=(const TakenOutput&) = delete;

    ProgramStreams streams() const;
    int descriptor() const { return from_; } // readable when there is output; -1 without `take`
    void read() const;                       // passes on what was written; a long output needs several calls

private:
    Take take_;
    bool to_errors_;
    int from_ = -1, to_ = -1;
};

// Returns this process's environment, in which these "NAME=VALUE" entries replace those of the same name.
std::vector<std::string> environment_with(const std::vector<std::string>& entries);

// Returns the null-terminated list of pointers that C functions take. The texts must outlive it and must not move.
std::vector<char*> pointers_to(std::vector<std::string>& texts);

// Replaces with '_' every character except letters, digits and "_-./+", and also a leading '-'. If a path stays
// unchanged, every program can use it safely, even in a shell command, as nvcc does.
std::string plain_path(std::string_view text);
inline bool is_plain_path(std::string_view text)
{
    return plain_path(text) == text;
}

} // namespace kernels
