// The kinds of machine instruction of sm_70 to sm_90, by the bits that tell them apart.
#pragma once

#include "recording/op.h"

#include <cstdint>
#include <optional>
#include <span>

namespace cuda {

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

} // namespace cuda
