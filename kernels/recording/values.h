// Elements of arrays as numbers, by the name of their type. Pure functions.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace recording {

// The kind of a number; for a vector type, of each component.
enum class Scalar { single, twofold, half, bfloat, whole };
Scalar scalar_of(const std::string& type);
bool is_unsigned(const std::string& type); // an unsigned integer

// Returns the size of one component of a vector type, in bytes.
uint32_t scalar_bytes(const std::string& type, uint32_t element_bytes);

// Reads a number of `bytes` bytes.
double number_at(const std::byte* from, const std::string& type, uint32_t bytes);

// When a value was in memory: before the launch, after it, or after a second run with the blocks in reverse order.
enum class Moment { before, after, again };

// Returns what the recording keeps of an array; null: nothing.
const Values* values_of(const Recording& recording, std::size_t array);

// Returns the kept bytes of that moment, empty for `again` if there was no second run.
std::span<const uint8_t> bytes_at(const Values& values, Moment moment);

// Returns the element at that offset, in bytes, of an array; of a vector type its first component. Returns nothing
// behind what is kept.
std::optional<double> value_at(const Recording& recording, const Values& values, Moment moment, uint64_t offset);

} // namespace recording
