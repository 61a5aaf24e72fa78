// Global memory that a kernel of a CUDA file works on, and what it holds.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace traced {

struct Buffer {
    std::string name; // "A", "idx"
    char role = '\0'; // 'A', 'B' or 'C' of a multiplication
    std::string type; // of its elements: "float"
    uint32_t element_bytes = 4;
    uint32_t rows = 1, cols = 0;
    bool by_columns = false;
    std::vector<std::byte> bytes;
    bool writable = true; // by the kernel
    bool shown = true;    // false: in the recording only where its first block touches it
};

Buffer without_bytes(const Buffer& buffer); // the same but for what it holds

// What a number is; of a vector type, each of the numbers that it is made of.
enum class Scalar { single, twofold, half, bfloat, whole };
Scalar scalar_of(const std::string& type);
bool is_unsigned(const std::string& type); // a whole number without a sign

// A matrix that is stored by columns lies there as its transpose, by rows.
struct StoredRows {
    uint32_t rows = 0, cols = 0;
};
StoredRows stored_rows(const Buffer& buffer);

enum class Fill { zeros, random, iota };

// `operand`: whose random numbers, as recordings count them.
void fill(Buffer& buffer, Fill how, uint32_t operand);

void fill_with(Buffer& buffer, double value); // in every element

// Throws kernels::Error where the file is none, or too short.
void fill_from_file(Buffer& buffer, const std::string& path);

// Of the numbers that an element of a vector type is made of.
uint32_t scalar_bytes(const std::string& type, uint32_t element_bytes);

// As a recording has it.
recording::Array array_of(const Buffer& buffer);

// An element as a number, of the types that bytes_of_type knows; vectors' first component.
double element(const Buffer& buffer, uint64_t row, uint64_t col);

} // namespace traced
