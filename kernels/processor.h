// The model name of this machine's processor.
#pragma once

#include <string>

namespace kernels {

std::string processor_name(); // "AMD EPYC 9654"; "CPU" if unknown

} // namespace kernels
