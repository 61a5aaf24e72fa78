// Another program, run to its end. No shell reads its arguments, so nothing in them is ever a command.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kernels {

struct ProgramCall {
    std::vector<std::string> words;            // the program, by its path or found in PATH, and its arguments
    std::filesystem::path folder = {};         // where it runs; empty: where we do
    std::vector<std::string> environment = {}; // "NAME=VALUE", in place of ours of that name
    bool takes_errors = true; // what it writes to standard error belongs to its output; else it is lost
};

struct ProgramOutput {
    bool found = false; // false: there is no such program
    bool good = false;  // it ended with status 0
    std::string text;
};

ProgramOutput run_program(ProgramCall call);

// Starts a program, found in PATH, that runs beside this one. Its process. Throws Error.
// `output`: a descriptor for what it writes to standard output. Its standard error, and its input, are those of this process; with
// `apart` standard error goes to `output`, too, and its input is empty.
struct ProgramStreams {
    int output = 1;
    bool apart = false;
};
int start_program(std::vector<std::string> words, std::vector<std::string> environment, ProgramStreams streams = {});

// What a program writes, taken while it runs. Without `take` its streams are those of this process, or with `to_errors` its standard
// output goes to this process's standard error.
class TakenOutput {
public:
    using Take = std::function<void(std::string_view)>;

    TakenOutput(Take take, bool to_errors); // throws Error where there is no pipe to be had
    ~TakenOutput();
    TakenOutput(const TakenOutput&) = delete;
    TakenOutput& operator=(const TakenOutput&) = delete;

    ProgramStreams streams() const;
    int descriptor() const { return from_; } // that becomes readable; -1: nothing is taken
    void read() const;                       // takes what there is

private:
    Take take_;
    bool to_errors_;
    int from_ = -1, to_ = -1;
};

// Our environment with these entries, "NAME=VALUE", in place of those of the same name.
std::vector<std::string> environment_with(const std::vector<std::string>& entries);

// As C functions take them, with the null pointer at the end. The texts must stay where they are.
std::vector<char*> pointers_to(std::vector<std::string>& texts);

// The text with '_' for all that is no letter, no digit and none of "_-./+", and for a '-' at its beginning. A path that this
// leaves as it is means the same to every program, even to one that makes shell commands of it, as nvcc does.
std::string plain_path(std::string_view text);
inline bool is_plain_path(std::string_view text)
{
    return plain_path(text) == text;
}

} // namespace kernels
