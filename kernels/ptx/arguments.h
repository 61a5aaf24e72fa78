// A kernel's parameters, and the bytes that it finds there.
#pragma once

#include "ptx/program.h"
#include "traced/launch.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ptx {

// With the types that the compiler gave them (`signature`: the kernel's name, demangled), else those that are written.
// `text`: of the file, which declares structs. Throws kernels::Error where one is laid out otherwise than it reads.
std::vector<traced::KernelParameter> parameters_of(const Program& program, const traced::WrittenKernel& written,
                                                   const std::string& signature, const std::string& text);

// As Program::parameters places them, with the addresses and maps of the PTX machine. Throws kernels::Error.
traced::ArgumentBytes bytes_of_arguments(const Program& program, const traced::PreparedLaunch& launch,
                                         const std::vector<traced::KernelParameter>& parameters);

} // namespace ptx
