// The launch of a kernel of any CUDA file, as requested on the command line or in a comment of the file.
#pragma once

#include "recording/recording.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace traced {

struct Request {
    std::filesystem::path file;
    std::string kernel;                 // "transpose<32>"; empty: the file's only kernel
    std::string grid, block;            // "N/128,M/128", "256"
    std::string cluster;                // blocks per cluster: "2"; empty: as the kernel declares
    std::vector<std::string> arguments; // "M", "alpha", "A", "BT", "3", "idx"; empty: the parameters' own names
    std::string size;                   // "128", "1000x33x517"; empty: 128
    std::optional<float> alpha, beta;
    std::vector<std::string> buffers; // "idx=4096:iota"
    std::string shared;               // bytes of dynamic shared memory; empty: 0
    std::vector<std::string> include_folders, defines;
    std::string check;                     // "gemm"; empty: nothing is compared
    std::optional<uint64_t> most_steps;    // limit for one warp, above which the kernel counts as endless
    std::vector<recording::Index3> blocks; // blocks to record in full; empty: the first
    bool as_written = false;               // record the accesses of the PTX, not those of its machine code
    friend bool operator==(const Request&, const Request&) = default;
};

// Fills unspecified members from the file's comment. Throws kernels::Error if the comment is wrong.
Request with_facts_of_file(Request request, const std::string& text);

// Macros that the user defines for a kernel: -D on the command line, or define= in a file's comment.

// Returns a line "#define NAME VALUE" for each of "NAME", "NAME=VALUE" and "NAME(PARAMETERS)=VALUE". A missing value is
// 1, as in compilers. Both compilers receive these lines as text, because nvcc passes its arguments to a shell. Throws
// kernels::Error if an entry is not a macro.
std::string define_lines(const std::vector<std::string>& defines);

} // namespace traced
