// A kernel of any CUDA file, compiled.
#pragma once

#include "traced/own_files.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace traced {

struct UserKernel {
    std::filesystem::path file;                        // that has the kernel
    std::string text;                                  // of the file
    std::string kernel;                                // with template arguments: "transpose<32>"
    std::vector<std::string> include_folders, defines; // "NAME" or "NAME=VALUE"
    std::vector<OwnFile> files = {};                   // the one that is compiled, and those that it includes

    // Of the file that is compiled: it has the host program, and perhaps only includes the kernel.
    const std::string& host_text() const { return files.empty() ? text : files.front().text; }
    std::string all_text() const; // of all files, the kernel's own first
};

inline constexpr uint32_t compiled_for = 90; // compute capability 9.0

struct CompiledKernel {
    std::string ptx, lowered_name;
    std::string cubin;     // for sm_90, with lines of `ptx`; empty: none was made
    std::string signature; // with the types of its parameters: "void transpose<32>(float const*, float*, int, int)"
    std::vector<uint32_t> source_lines; // of each line of PTX: that of the file, or 0
    std::string compiler;               // "NVRTC 13.0"
    uint32_t registers = 0;             // per thread, as the assembler gave them; 0: not known
    uint32_t local_bytes = 0;           // likewise; known where the registers are

    // Whether a GPU of that compute capability does: PTX for sm_90 runs on later ones too, that for sm_90a on no other.
    bool runs_on(uint32_t capability) const
    {
        const bool for_it_alone = ptx.find(".target sm_90a") != std::string::npos;
        return capability == compiled_for || (capability > compiled_for && !for_it_alone);
    }
};

// Of `root` and what it includes; `named` with template arguments, or empty where there is one kernel alone. Throws
// kernels::Error: there is none, or several.
UserKernel user_kernel(const std::filesystem::path& root, const std::string& text, const std::string& named,
                       const std::vector<std::string>& include_folders);

// Of a file with hundreds of kernels, the one that is meant alone: NVRTC takes a time that grows with the square of their number.
// Nothing: it has not that many.
std::optional<UserKernel> with_one_kernel(const UserKernel& kernel);

// The machine code for sm_90 of a kernel, by its lowered name, of PTX for that or an older GPU, with a table of the PTX's lines. Empty
// where the assembler, ptxas of package cuda-nvcc, is not installed or refuses it. Needs no GPU.
std::string assembled(const std::string& ptx, const std::string& kernel);

// Needs no GPU. Throws kernels::Unavailable where there is no NVRTC or the program was built without the toolkit, and
// kernels::Error with the compiler's words, which name lines of the file.
CompiledKernel compile(const UserKernel& kernel);

} // namespace traced
