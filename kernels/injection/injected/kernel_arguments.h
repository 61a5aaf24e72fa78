// Finds the addresses among a launch's arguments. They say which buffers the kernel was given, and by which parameter.
#pragma once

#include "injection/request.h"

#include <string>
#include <string_view>
#include <vector>

namespace injection {

// Returns the aligned words of the arguments, in the order of the parameters. `arguments` points to each of them, as
// for cuLaunchKernel; `cubin` says how many there are and how long each is. Throws kernels::Error if it is damaged.
std::vector<ArgumentWord> argument_words(std::string_view cubin, const std::string& kernel,
                                         const void* const* arguments);

// Returns the pointer to the arguments among the parameters of a function of CUDA's driver that launches a kernel.
// Returns null for other functions, and for a launch that passes its arguments in one buffer.
const void* const* arguments_of_call(std::string_view function, const void* parameters);

} // namespace injection
