// Builds a program from a CUDA file with its host code. Host code runs natively: build it only if the user asked for
// it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace traced {

struct HostBuild {
    std::filesystem::path file;
    std::optional<std::string> text;                   // of it; none: as it lies there
    std::vector<std::string> include_folders, defines; // "NAME" or "NAME=VALUE"
    // The folder of the replacement for CUDA's runtime; empty: the toolkit's own runtime, for this machine's GPU.
    std::filesystem::path stand_in;
    std::filesystem::path program; // the output
};

// Returns whether nvcc is installed; only nvcc compiles host code.
bool can_build_host_programs();

// Throws kernels::Unavailable if there is no nvcc, and kernels::Error with the compiler's messages, which name lines of
// the file.
void build_host_program(const HostBuild& build);

} // namespace traced
