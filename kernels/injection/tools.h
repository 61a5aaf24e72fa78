// What tracing needs of a CUDA toolkit and of this program's installation. Found when it is wanted.
#pragma once

#include "injection/executed_recording.h"

#include <filesystem>
#include <string_view>

namespace injection {

// Each throws kernels::Unavailable with a sentence that says what to install.
std::filesystem::path sanitizer_library(); // libsanitizer-public.so
std::filesystem::path cupti_library();     // libcupti.so
std::filesystem::path injected_library();  // ours, beside the program or in ../lib/gemmscope

// Compiles patches.cu for each kind of GPU of this machine: patches-90.cubin and so on, in that folder. Throws
// kernels::Unavailable: no GPU, no NVRTC, no ptxas.
void make_patches(const std::filesystem::path& folder);

// The same for one kind, which this machine need not have.
void make_patches(const std::filesystem::path& folder, int compute_capability);

// Of one kernel (its lowered name) of a cubin: its machine code, ascending by address, as nvdisasm writes it where that is
// installed, else the names of the instructions that are known; and where it came from. Throws kernels::Error where the cubin
// is damaged.
KernelCode code_of(std::string_view cubin, std::string_view kernel);

} // namespace injection
