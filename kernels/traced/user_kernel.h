// Compiles a kernel of any CUDA file.
#pragma once

#include "traced/launch.h"
#include "traced/own_files.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace traced {

struct UserKernel {
    std::filesystem::path file; // the file that contains the kernel
    std::string text;           // the file's text
    // The name with template arguments, "transpose<32>", or with the types of an overloaded function, "scale(int*)".
    std::string kernel;
    std::vector<std::string> include_folders, defines; // "NAME" or "NAME=VALUE"
    std::vector<OwnFile> files = {};                   // the file to compile, and the files that it includes

    // Returns the text of the file to compile, with the host program. The kernel may be in a file that it includes.
    const std::string& host_text() const { return files.empty() ? text : files.front().text; }
    std::string all_text() const; // the texts of all files, that of the kernel's file first
    std::string address() const;  // an expression for its address, with a cast if the kernel is overloaded
};

inline constexpr uint32_t compiled_for = 90; // compute capability 9.0

struct CompiledKernel {
    std::string ptx, lowered_name;
    std::string cubin;     // for sm_90, with lines of `ptx`; empty if there is none
    std::string signature; // with the types of its parameters: "void transpose<32>(float const*, float*, int, int)"
    std::vector<uint32_t> source_lines; // for each line of PTX, the line of the file or 0
    std::string compiler;               // "NVRTC 13.0"
    uint32_t registers = 0;             // per thread, from the assembler; 0: unknown
    uint32_t local_bytes = 0;           // per thread; known if `registers` is known

    // Returns whether a GPU with this compute capability can run the kernel. PTX for sm_90 also runs on later GPUs, PTX
    // for sm_90a only on sm_90.
    bool runs_on(uint32_t capability) const
    {
        const bool for_it_alone = ptx.find(".target sm_90a") != std::string::npos;
        return capability == compiled_for || (capability > compiled_for && !for_it_alone);
    }
};

// Finds the kernel in `root` and its includes. `named` has template arguments. It may be empty if there is only one
// kernel. Throws kernels::Error if no kernel or several match.
UserKernel user_kernel(const std::filesystem::path& root, const std::string& text, const std::string& named,
                       const std::vector<std::string>& include_folders);

// For a file with hundreds of kernels, returns it with only this kernel, because NVRTC's time grows with the square of
// the number of kernels. Returns nothing if the file has fewer.
std::optional<UserKernel> with_one_kernel(const UserKernel& kernel);

// Assembles PTX for sm_90 or an older GPU to machine code for sm_90. `kernel` is the lowered name. The machine code has
// a table of the PTX's lines. Returns an empty text if the assembler (ptxas of package cuda-nvcc) is not installed or
// refuses the PTX. Needs no GPU.
std::string assembled(const std::string& ptx, const std::string& kernel);

// Compiles the kernel. Needs no GPU. Throws kernels::Unavailable if NVRTC is missing or the program was built without
// the toolkit. Throws kernels::Error with the compiler's messages, which name lines of the file.
CompiledKernel compile(const UserKernel& kernel);

// The result of launching a kernel of a CUDA file once on this machine's GPU.

struct GpuLaunch {
    std::vector<Buffer> after;       // the buffers' final content
    std::vector<uint64_t> addresses; // the buffers' addresses
};

// Launches the kernel. `argument_bytes` belongs to the launch. Throws kernels::Unavailable if there is no GPU, and
// kernels::Error if the GPU refuses the launch or the kernel faults.
GpuLaunch launch_on_gpu(const CompiledKernel& compiled, const PreparedLaunch& launch, ArgumentBytes argument_bytes);

// A program to build from a CUDA file. Its host code runs natively, so build it only if the user asked for it.

struct HostBuild {
    std::filesystem::path file;
    std::optional<std::string> text;                   // its text; if absent, the content on disk
    std::vector<std::string> include_folders, defines; // "NAME" or "NAME=VALUE"
    // The folder of the replacement for CUDA's runtime. If empty, the toolkit's own runtime is used, with this
    // machine's GPU.
    std::filesystem::path stand_in;
    std::filesystem::path program; // the output
};

// Returns whether nvcc is installed; only nvcc compiles host code.
bool can_build_host_programs();

// Throws kernels::Unavailable if nvcc is missing, and kernels::Error with the compiler's messages.
void build_host_program(const HostBuild& build);

} // namespace traced
