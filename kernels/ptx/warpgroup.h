// wgmma: D += A * B by the four warps of a warpgroup, A and B in shared memory as matrix descriptors say, or A in registers.
#pragma once

#include "ptx/program.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace ptx {

// Of one operand in shared memory; see "matrix descriptor" in the PTX manual. Addresses are bytes.
struct MatrixDescriptor {
    explicit MatrixDescriptor(uint64_t bits);
    uint64_t start = 0, leading = 0, stride = 0;
    uint32_t swizzle = 0; // bytes of its pattern: 0, 32, 64 or 128
    uint32_t base = 0;    // offset of the pattern's start, in lines of 128 bytes

    // Where the element lies. `line`: along M or N; `k`: along K. `along_lines`: neighbours in memory are neighbours along M
    // or N (transposed in PTX's words), else along K.
    uint64_t place(uint32_t line, uint32_t k, uint32_t element_bytes, bool along_lines) const;
};

// What one warp has of the product: 16 rows of D. `a`, `b`: the operands as numbers, A 16 x k by rows, B k x n by rows.
struct GroupProduct {
    std::span<const float> a, b;
    bool adds = false; // to what D holds
};
void group_multiply(const Instruction& instruction, std::byte* registers, const GroupProduct& product);

// A's 16 x k elements out of the warp's registers, and an element's value.
void group_registers(const Instruction& instruction, std::byte* registers, std::span<float> a);
float group_element(Type type, uint32_t bits);

} // namespace ptx
