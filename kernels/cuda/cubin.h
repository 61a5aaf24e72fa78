// What the compiler made of a kernel: its instructions, read from the cubin without a disassembler.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace cuda {

// How many instructions of each kind the kernel has: those that move data to and from global, shared and local memory,
// with their width in bits ("LDG.128", "STS.32"), and FP32 arithmetic ("FFMA", "FMUL", "FADD"). Kinds that do not occur
// are absent. For the 16-byte instructions of sm_70 to sm_90.
// `kernel` is the lowered name. Throws kernels::Error when the cubin is damaged or has no such kernel.
std::map<std::string, int> instruction_counts(std::string_view cubin, std::string_view kernel);

} // namespace cuda
