// What this machine's processor is called.
#pragma once

#include <string>

namespace kernels {

std::string processor_name(); // "AMD EPYC 9654"; "CPU" where it is not known

} // namespace kernels
