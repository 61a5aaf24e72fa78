// Tasks and what they make as bytes, for another process.
//
// CBOR, each struct as the list of its fields. FlatBuffers, which recordings are made of, would name each of these forty
// structs three times more (schema, there and back); only recordings are large here, and those are nested as the
// bytes of their own files, checked as those are.
#pragma once

#include "app/tasks/task.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace app {

inline constexpr int bytes_version = 6; // another one is refused

std::vector<std::byte> to_bytes(const Task& task);
std::vector<std::byte> to_bytes(const Result& result);
std::vector<std::byte> to_bytes(const Progress& progress);
std::vector<std::byte> to_bytes(const Failure& failure);
std::vector<std::byte> to_bytes(const MachineFacts& machine);

// Throw kernels::Error in a sentence for anything that was not written by this version.
Task task_from(std::span<const std::byte> bytes);
Result result_from(std::span<const std::byte> bytes);
Progress progress_from(std::span<const std::byte> bytes);
Failure failure_from(std::span<const std::byte> bytes);
MachineFacts machine_from(std::span<const std::byte> bytes);

} // namespace app
