// Another program, run to its end. No shell reads its arguments, so nothing in them is ever a command.
#pragma once

#include <filesystem>
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

// Starts a program, found in PATH, that runs beside this one with its standard streams. Its process. Throws Error.
int start_program(std::vector<std::string> words, std::vector<std::string> environment);

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
