// Tasks and what they make as bytes, for another process.
//
// CBOR (app/tasks/cbor.h), each struct as the list of its fields(), and only of those; of a struct without them as the list of its
// members, which the compiler counts. FlatBuffers, which recordings are made of, would name each struct three times more (schema,
// there and back); only recordings are large here, and those are nested as the bytes of their own files, checked as those are.
#pragma once

#include "app/tasks/task.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace app {

inline constexpr int bytes_version = 9; // another one is refused

// Of a Task, Result, Progress, Failure, MachineFacts or LaunchFileResult.
template <class T>
std::vector<std::byte> to_bytes(const T& value);

// Throws kernels::Error in a sentence for anything that was not written by this version.
template <class T>
T from_bytes(std::span<const std::byte> bytes);

} // namespace app
