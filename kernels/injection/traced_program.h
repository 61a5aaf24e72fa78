// Runs an unmodified program with the tracing library injected, finds the files for this, and shortens kernel names.
#pragma once

#include "injection/executed_recording.h"
#include "injection/raw_trace.h"
#include "run_program.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace injection {

// Runs an unmodified program with the tracing library injected. Needs no root privileges.
struct TracedProgram {
    std::vector<std::string> command;       // program and arguments; the program is looked for in PATH
    std::string kernel;                     // regular expression; empty: any kernel
    uint64_t launch = 1;                    // record the n-th matching launch, starting at 1
    std::vector<std::string> blocks;        // "X,Y,Z" to record in full; empty: first, middle and last
    double most_seconds = 120;              // time limit of the traced launch; then the program is ended
    std::string gpu = {};                   // UUID of the only GPU that the program sees; empty: as for this process
    kernels::TakenOutput::Take output = {}; // receives its output; empty: its streams are those of this process
    bool output_to_errors = false;          // if `output` is empty, its standard output goes to standard error
    // Time limit of the program after its launch was recorded. If empty, there is none.
    std::optional<std::chrono::seconds> most_after_recording = {};
};

struct ProgramEnd {
    int status = 0;         // as in a shell; at least 128 if a signal ended it
    bool cut_short = false; // it was ended because it took too long after the recording
};

// All throw kernels::Unavailable if a library of the toolkit is missing (see below), and kernels::Cancelled. They throw
// kernels::Error with a sentence if the program cannot be started, makes no matching launch, or is traced by another
// tool.
std::vector<ListedLaunch> list_launches(const TracedProgram& program, ProgramEnd& end, std::stop_token stop);
RawTrace trace_launch(const TracedProgram& program, ProgramEnd& end, std::stop_token stop);

// Removes the return type, namespaces and argument types: "void at::native::softmax_warp_forward<float, 9>(float*)"
// becomes "softmax_warp_forward<float, 9>". Template arguments become "..." if the name would otherwise be longer than
// `most` characters.
std::string short_name(std::string_view demangled, std::size_t most = 60);

// Files that tracing needs from a CUDA toolkit and from this program's installation. They are located on use.

// Each throws kernels::Unavailable with a sentence that says what to install.
std::filesystem::path sanitizer_library(); // libsanitizer-public.so
std::filesystem::path cupti_library();     // libcupti.so
std::filesystem::path injected_library();  // part of gemmscope; beside the program or in ../lib/gemmscope

// Compiles patches.cu for each architecture among this machine's GPUs, into patches-90.cubin and so on in that folder.
// Throws kernels::Unavailable if there is no GPU, NVRTC or ptxas.
void make_patches(const std::filesystem::path& folder);

// Does the same for one architecture, even if this machine has no such GPU.
void make_patches(const std::filesystem::path& folder, int compute_capability);

// Returns the machine code of one kernel (by its lowered name) in a cubin, in ascending order of address. Its text is
// nvdisasm's if that is installed, otherwise the names of the instructions that are known. Throws kernels::Error if the
// cubin is damaged.
KernelCode code_of(std::string_view cubin, std::string_view kernel);

} // namespace injection
