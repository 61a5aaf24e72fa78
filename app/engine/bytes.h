// Serializes tasks and their results for another process.
//
// The format is CBOR (app/engine/cbor.h). A struct with a fields() function is written as the list of those fields and
// nothing else. A struct without one is written as the list of its members, which the compiler counts.
//
// FlatBuffers, the format of recordings, would need each struct named three more times (schema, writer, reader). Only
// recordings are large here. They are nested as the bytes of their own file format and checked like files.
#pragma once

#include "app/engine/task.h"

#include <cstddef>
#include <span>
#include <vector>

namespace app {

inline constexpr int bytes_version = 12; // another one is refused

// Serializes a Task, Result, Progress, Failure, MachineFacts or LaunchFileResult.
template <class T>
std::vector<std::byte> to_bytes(const T& value);

// Deserializes what to_bytes() wrote. Throws kernels::Error with a sentence if this version did not write the bytes.
template <class T>
T from_bytes(std::span<const std::byte> bytes);

} // namespace app
