// Reads the machine code of a kernel from the cubin, without a disassembler.
#pragma once

#include "machine_code/machine_code.h"
#include "recording/op.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cuda {

// One instruction of 16 bytes, `low` first in memory.
kernels::Instruction decode_instruction(uint32_t address, uint64_t low, uint64_t high);

// Returns the kernel's instructions in order, without source lines and text. Reads the 16-byte instructions of sm_70 to
// sm_90. The compiler puts instructions that no lane ever runs ("@!PT") behind asynchronous copies. They are named NOP;
// warps issue them, and the GPU counts them. `kernel` is the lowered name. Throws kernels::Error if the cubin is
// damaged or has no such kernel.
std::vector<kernels::Instruction> instructions(std::string_view cubin, std::string_view kernel);

// A loop in the code. Its last instruction is the branch that leads back to the first one. Both are given by address.
struct CodeLoop {
    uint32_t first = 0, last = 0;
    bool has(uint32_t address) const { return address >= first && address <= last; }
};

// Returns the loops of code for sm_90, one for each branch that jumps back. The endless branch to itself after the
// kernel's end is not a loop. Throws the same errors as instructions().
std::vector<CodeLoop> loops(std::string_view cubin, std::string_view kernel);

// The resources that the assembler gave each thread of the kernel, or nothing if the cubin does not contain them.
struct ThreadResources {
    uint32_t registers = 0, local_bytes = 0;
};
std::optional<ThreadResources> thread_resources(std::string_view cubin, std::string_view kernel);

// The kinds of machine instructions of sm_70 to sm_90, identified by their opcode bits.

// The field of an instruction that says how many bytes it moves per lane.
enum class Width { none, elements, matrices };

struct Opcode {
    uint64_t bits; // the lowest nine bits; the next three say where operands come from
    const char* name;
    Width width = Width::none;
    std::optional<recording::Op> op = {};
};

std::span<const Opcode> known_opcodes();

// Finds the kind of an instruction from its first eight bytes. Returns null for an unknown kind.
const Opcode* opcode_of(uint64_t low);

// Parses the output of nvdisasm -c. Returns the instructions by address, such as "@!P0 LDS.128 R4, [R2+0x10]".
std::map<uint32_t, std::string> parse_disassembly(std::string_view text);

} // namespace cuda
