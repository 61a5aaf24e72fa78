// Runs another program. No shell interprets its arguments, so nothing in them is ever a command.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kernels {

struct ProgramCall {
    std::vector<std::string> words;    // the program (a path, or a name to find in PATH) and its arguments
    std::filesystem::path folder = {}; // the working directory; empty: that of this process
    // "NAME=VALUE" entries that replace this process's variables of the same name
    std::vector<std::string> environment = {};
    // Whether the output includes what it writes to standard error, which is discarded otherwise.
    bool takes_errors = true;
};

struct ProgramOutput {
    bool found = false; // false if there is no such program
    bool good = false;  // true if it exited with status 0
    std::string text;
};

ProgramOutput run_program(ProgramCall call);

// Starts a program (found in PATH) that keeps running beside this one and shares its standard streams. Returns the
// process id. Throws Error.
int start_program(std::vector<std::string> words, std::vector<std::string> environment);

// Returns this process's environment, with these "NAME=VALUE" entries replacing those of the same name.
std::vector<std::string> environment_with(const std::vector<std::string>& entries);

// Returns the null-terminated list of pointers that C functions take. The texts must outlive it and must not move.
std::vector<char*> pointers_to(std::vector<std::string>& texts);

// Replaces with '_' every character except letters, digits and "_-./+", and also a leading '-'. A path that stays
// unchanged means the same to every program, even to one that builds shell commands from it, as nvcc does.
std::string plain_path(std::string_view text);
inline bool is_plain_path(std::string_view text)
{
    return plain_path(text) == text;
}

} // namespace kernels
