// Files that tracing needs from a CUDA toolkit and from this program's installation. They are located on use.
#pragma once

#include "injection/executed_recording.h"

#include <filesystem>
#include <string_view>

namespace injection {

// Each throws kernels::Unavailable with a sentence that says what to install.
std::filesystem::path sanitizer_library(); // libsanitizer-public.so
std::filesystem::path cupti_library();     // libcupti.so
std::filesystem::path injected_library();  // part of gemmscope; beside the program or in ../lib/gemmscope

// Compiles patches.cu for each architecture among this machine's GPUs, into patches-90.cubin and so on in that folder.
// Throws kernels::Unavailable if there is no GPU, NVRTC or ptxas.
void make_patches(const std::filesystem::path& folder);

// The same for one architecture, even if this machine has no such GPU.
void make_patches(const std::filesystem::path& folder, int compute_capability);

// Returns the machine code of one kernel (by its lowered name) in a cubin, ascending by address, and the source of the
// text: nvdisasm if it is installed; otherwise the names of the instructions that are known. Throws kernels::Error if
// the cubin is damaged.
KernelCode code_of(std::string_view cubin, std::string_view kernel);

} // namespace injection
