// What the compiler made of a kernel: its instructions, read from the cubin without a disassembler.
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

// The kinds of machine instruction of sm_70 to sm_90, by the bits that tell them apart.

// Where an instruction says how much it moves.
enum class Width { none, elements, matrices };

struct Opcode {
    uint64_t bits; // the low nine; the three above them say where operands come from
    const char* name;
    Width width = Width::none;
    std::optional<recording::Op> op = {};
};

std::span<const Opcode> known_opcodes();

// Of an instruction's first eight bytes; null: a kind that is not known here.
const Opcode* opcode_of(uint64_t low);

// What a disassembler printed.

// Of nvdisasm -c: by address, such as "@!P0 LDS.128 R4, [R2+0x10]".
std::map<uint32_t, std::string> parse_disassembly(std::string_view text);

} // namespace cuda
