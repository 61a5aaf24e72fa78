// Elements of arrays as numbers, by the name of their type. Pure functions.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace recording {

// The kind of a number, or of each component of a vector type.
enum class Scalar { single, twofold, half, bfloat, whole };
Scalar scalar_of(const std::string& type);
bool is_unsigned(const std::string& type); // an unsigned integer

// Returns the size of one component of a vector type, in bytes.
uint32_t scalar_bytes(const std::string& type, uint32_t element_bytes);

// Reads a number of `bytes` bytes.
double number_at(const std::byte* from, const std::string& type, uint32_t bytes);

// When a value was in memory: before the launch, after it, or after a second run with the blocks in reverse order.
enum class Moment { before, after, again };

// Returns the kept values of an array, or null if the recording has none.
const Values* values_of(const Recording& recording, std::size_t array);

// Returns the kept bytes of that moment. They are empty for `again` if there was no second run.
std::span<const uint8_t> bytes_at(const Values& values, Moment moment);

// Returns the element of an array at that offset in bytes. For a vector type, returns its first component. Returns
// nothing beyond the kept bytes.
std::optional<double> value_at(const Recording& recording, const Values& values, Moment moment, uint64_t offset);

} // namespace recording
