// A buffer in global memory that a kernel of a CUDA file uses, and its content.
#pragma once

#include "recording/recording.h"
#include "recording/values.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace traced {

struct Buffer {
    std::string name; // "A", "idx"
    char role = '\0'; // 'A', 'B' or 'C' in a multiplication
    std::string type; // element type: "float"
    uint32_t element_bytes = 4;
    uint32_t rows = 1, cols = 0;
    bool by_columns = false;
    std::vector<std::byte> bytes;
    bool writable = true; // whether the kernel may write to it
    bool shown = true;    // false: recorded only if the first block accesses it
};

Buffer without_bytes(const Buffer& buffer); // copies everything except the content

using recording::Scalar;
using recording::scalar_bytes;
using recording::scalar_of;

// Rows and columns as they lie in memory. A matrix stored by columns lies there as the rows of its transpose.
struct StoredRows {
    uint32_t rows = 0, cols = 0;
};
StoredRows stored_rows(const Buffer& buffer);

enum class Fill { zeros, random, iota };

// `operand` selects the sequence of random numbers, as in recordings.
void fill(Buffer& buffer, Fill how, uint32_t operand);

void fill_with(Buffer& buffer, double value); // sets every element

// Throws kernels::Error if there is no such file, or if it is too short.
void fill_from_file(Buffer& buffer, const std::string& path);

// Returns the array that represents the buffer in a recording.
recording::Array array_of(const Buffer& buffer);

// Returns an element as a number; for vectors, the first component. Supports the types that bytes_of_type() knows.
double element(const Buffer& buffer, uint64_t row, uint64_t col);

} // namespace traced
