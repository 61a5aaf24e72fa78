#include "traced/buffer.h"

#include "error.h"
#include "gemm/rounding.h"
#include "recording/disk.h"
#include "recording/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace traced {

Buffer without_bytes(const Buffer& buffer)
{
    return {.name = buffer.name,
            .role = buffer.role,
            .type = buffer.type,
            .element_bytes = buffer.element_bytes,
            .rows = buffer.rows,
            .cols = buffer.cols,
            .by_columns = buffer.by_columns,
            .bytes = {},
            .writable = buffer.writable,
            .shown = buffer.shown};
}

StoredRows stored_rows(const Buffer& buffer)
{
    return buffer.by_columns ? StoredRows{buffer.cols, buffer.rows} : StoredRows{buffer.rows, buffer.cols};
}

namespace {

void put(std::byte* to, Scalar scalar, uint32_t bytes, double value)
{
    const auto store = [to](auto bits) { std::memcpy(to, &bits, sizeof bits); };
    switch (scalar) {
    case Scalar::single: return store(static_cast<float>(value));
    case Scalar::twofold: return store(value);
    case Scalar::half: return store(kernels::to_half(static_cast<float>(value)).bits);
    case Scalar::bfloat: return store(kernels::to_bfloat16(static_cast<float>(value)).bits);
    case Scalar::whole: {
        const auto whole = static_cast<int64_t>(value);
        std::memcpy(to, &whole, bytes);
    }
    }
}

// Returns a random number by the same rule as recordings. Integers are 0 to 999, bytes take all values.
double random_value(uint32_t operand, uint64_t index, Scalar scalar, uint32_t bytes)
{
    const float unit = recording::input_value(recording::Inputs::random, recording::input_seed, operand % 80, index);
    if (scalar != Scalar::whole)
        return unit;
    return bytes == 1 ? static_cast<double>((unit + 1.0f) * 128.0f) : static_cast<double>((unit + 1.0f) * 500.0f);
}

} // namespace

void fill(Buffer& buffer, Fill how, uint32_t operand)
{
    if (how == Fill::zeros)
        return;
    const Scalar scalar = scalar_of(buffer.type);
    const uint32_t bytes = scalar_bytes(buffer.type, buffer.element_bytes);
    for (uint64_t i = 0; i < buffer.bytes.size() / bytes; ++i) { // in storage order
        const double value = how == Fill::iota ? static_cast<double>(i) : random_value(operand, i, scalar, bytes);
        put(buffer.bytes.data() + i * bytes, scalar, bytes, value);
    }
}

void fill_with(Buffer& buffer, double value)
{
    const Scalar scalar = scalar_of(buffer.type);
    const uint32_t bytes = scalar_bytes(buffer.type, buffer.element_bytes);
    for (uint64_t at = 0; at + bytes <= buffer.bytes.size(); at += bytes)
        put(buffer.bytes.data() + at, scalar, bytes, value);
}

void fill_from_file(Buffer& buffer, const std::string& path)
{
    recording::InputFile file(path);
    const std::size_t got = file.read(buffer.bytes);
    if (got != buffer.bytes.size())
        throw kernels::Error(
            fmt::format("The buffer {} has {} bytes, and {} only {}.", buffer.name, buffer.bytes.size(), path, got));
}

recording::Array array_of(const Buffer& buffer)
{
    recording::Array array{.name = buffer.name,
                           .rows = buffer.rows,
                           .cols = buffer.cols,
                           .element_bytes = buffer.element_bytes,
                           .bytes = buffer.bytes.size()};
    if (buffer.by_columns)
        for (uint32_t row = 0; row < buffer.rows; ++row)
            for (uint32_t col = 0; col < buffer.cols; ++col)
                array.layout.push_back((col * buffer.rows + row) * buffer.element_bytes);
    return array;
}

double element(const Buffer& buffer, uint64_t row, uint64_t col)
{
    const uint64_t index = buffer.by_columns ? col * buffer.rows + row : row * buffer.cols + col;
    return recording::number_at(buffer.bytes.data() + index * buffer.element_bytes, buffer.type, buffer.element_bytes);
}

} // namespace traced
