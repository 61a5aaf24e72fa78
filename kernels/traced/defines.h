// Macros that the user defines for a kernel: -D on the command line, or define= in a file's comment.
#pragma once

#include <string>
#include <vector>

namespace traced {

// Returns a line "#define NAME VALUE" for each of "NAME", "NAME=VALUE" and "NAME(PARAMETERS)=VALUE". A missing value is
// 1, as in compilers. Both compilers receive these lines as text, because nvcc passes its arguments to a shell. Throws
// kernels::Error if an entry is not a macro.
std::string define_lines(const std::vector<std::string>& defines);

} // namespace traced
