// Macros that a person defines for a kernel: -D of the command line, define= of a file's comment.
#pragma once

#include <string>
#include <vector>

namespace traced {

// A line "#define NAME VALUE" for each of "NAME", "NAME=VALUE" and "NAME(PARAMETERS)=VALUE"; without a value it is 1, as compilers
// have it. Both compilers get them as text: nvcc makes shell commands of its own arguments. Throws kernels::Error where one is
// no macro.
std::string define_lines(const std::vector<std::string>& defines);

} // namespace traced
