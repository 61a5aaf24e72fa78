// A CUDA file with its host program, made to a program. Host code is native code: build one only where its user asked for that.
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
    std::filesystem::path
        stand_in; // the folder of what stands for CUDA's runtime; empty: the toolkit's own, for this machine's GPU
    std::filesystem::path program; // what is made
};

// Whether nvcc is installed, which alone compiles host code.
bool can_build_host_programs();

// Throws kernels::Unavailable where there is no nvcc, and kernels::Error with the compiler's words, which name lines of the file.
void build_host_program(const HostBuild& build);

} // namespace traced
