// What the compiler made of a kernel: its instructions, read from the cubin without a disassembler.
#pragma once

#include "machine_code/machine_code.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cuda {

// One instruction of 16 bytes, `low` first in memory.
kernels::Instruction decode_instruction(uint32_t address, uint64_t low, uint64_t high);

// In order, for the 16-byte instructions of sm_70 to sm_90; without source lines and text. Those that no lane ever runs ("@!PT",
// as the compiler puts them behind asynchronous copies) are named NOP; warps issue them, and the GPU counts them. `kernel` is
// the lowered name. Throws kernels::Error when the cubin is damaged or has no such kernel.
std::vector<kernels::Instruction> instructions(std::string_view cubin, std::string_view kernel);

// From a branch's target to the branch that leads back there; addresses of instructions.
struct CodeLoop {
    uint32_t first = 0, last = 0;
    bool has(uint32_t address) const { return address >= first && address <= last; }
};

// Of code as instructions() reads it, for sm_90: what jumps back, but for the endless branch to itself behind the kernel's end.
// Throws likewise.
std::vector<CodeLoop> loops(std::string_view cubin, std::string_view kernel);

// What the assembler gave each thread of the kernel; none where the cubin does not say so.
struct ThreadResources {
    uint32_t registers = 0, local_bytes = 0;
};
std::optional<ThreadResources> thread_resources(std::string_view cubin, std::string_view kernel);

} // namespace cuda
