// A launch of a kernel of a CUDA file, ready to be run: by the PTX machine, or on a GPU.
#pragma once

#include "ptx/program.h"
#include "traced/launch.h"
#include "traced/request.h"
#include "traced/user_kernel.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ptx {

// A kernel's parameters, and the bytes that it finds there.

// With the types that the compiler gave them (`signature`: the kernel's name, demangled), else those that are written.
// `text`: of the file, which declares structs. Throws kernels::Error where one is laid out otherwise than it reads.
std::vector<traced::KernelParameter> parameters_of(const Program& program, const traced::WrittenKernel& written,
                                                   const std::string& signature, const std::string& text);

// As Program::parameters places them, with the addresses and maps of the PTX machine. Throws kernels::Error.
traced::ArgumentBytes bytes_of_arguments(const Program& program, const traced::PreparedLaunch& launch,
                                         const std::vector<traced::KernelParameter>& parameters);

struct FileLaunch {
    traced::WrittenKernel written;
    traced::Names names; // numbers that they stand for
    Program program;
    traced::PreparedLaunch launch;
    traced::ArgumentBytes arguments;
    // Not empty: a host program made the launch, whose memory the buffers are, and this sentence says so in the
    // recording. The program's variables are among the buffers.
    std::string by_host_program = {};
};

// `text`: of the file. Throws kernels::Error with a sentence for whoever wrote the file or the request.
traced::UserKernel kernel_of(const traced::Request& request, const std::string& text);

// Throws likewise.
FileLaunch file_launch(const traced::Request& request, const traced::UserKernel& kernel,
                       const traced::CompiledKernel& compiled);

} // namespace ptx
