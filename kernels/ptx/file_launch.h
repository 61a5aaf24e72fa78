// A launch of a kernel of a CUDA file, ready to run in the PTX machine or on a GPU.
#pragma once

#include "ptx/program.h"
#include "traced/launch.h"
#include "traced/request.h"
#include "traced/user_kernel.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ptx {

// A kernel's parameters, and the bytes of their arguments.

// Returns the parameters with the types that the compiler gave them, or else with those in the source. `signature` is
// the kernel's demangled name. `text` is the text of the file, which declares structs. Throws kernels::Error if the
// compiler lays out a struct differently from what its text says.
std::vector<traced::KernelParameter> parameters_of(const Program& program, const traced::WrittenKernel& written,
                                                   const std::string& signature, const std::string& text);

// Returns the arguments in the layout of Program::parameters, with the addresses and tensor maps of the PTX machine.
// Throws kernels::Error.
traced::ArgumentBytes bytes_of_arguments(const Program& program, const traced::PreparedLaunch& launch,
                                         const std::vector<traced::KernelParameter>& parameters);

struct FileLaunch {
    traced::WrittenKernel written;
    traced::Names names; // the names that arguments may use, with their numbers
    Program program;
    traced::PreparedLaunch launch;
    traced::ArgumentBytes arguments;
    // If not empty, a host program made the launch, the buffers are its memory, and the program's variables are among
    // the buffers. The recording shows this sentence.
    std::string by_host_program = {};
    std::optional<bool> cooperative = {}; // whether the launch is, if that is known
};

// `text` is the text of the file. Throws kernels::Error with a sentence for the author of the file or the request.
traced::UserKernel kernel_of(const traced::Request& request, const std::string& text);

// Throws kernels::Error in the same way.
FileLaunch file_launch(const traced::Request& request, const traced::UserKernel& kernel,
                       const traced::CompiledKernel& compiled);

} // namespace ptx
