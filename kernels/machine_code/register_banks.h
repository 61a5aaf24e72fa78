// Machine code whose registers are chosen by hand. A thread's registers are in two banks, the even and the odd ones, and ptxas
// keeps the three sources of a multiply-add out of one bank wherever it can: what that would cost can only be measured so.
#pragma once

#include <string>
#include <string_view>

namespace cuda {

// Gives each FP32 multiply-add of the kernel (FFMA whose sources are registers) two other factors: of the bank of its addend,
// or both of the other bank. What it computes is then nonsense, and never a fault: it only reads. Returns how many were
// changed. `kernel`: the lowered name. Throws kernels::Error where the cubin is damaged, or has too few registers.
int set_factor_banks(std::string& cubin, std::string_view kernel, bool bank_of_addend);

} // namespace cuda
