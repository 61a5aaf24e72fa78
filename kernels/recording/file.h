// Recording files (.gscope): versioned, compressed, verified on reading, written atomically.
// The format is described in recording.fbs and in docs/recording-format.md.
#pragma once

#include "recording/recording.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace recording {

// Writes a recording. Throws kernels::Error (error.h) with a sentence that names the file: it cannot be created, the
// disk is full. An existing file is replaced only by a complete one.
void write(const Recording& recording, const std::filesystem::path& path);

// Reads a recording. Throws kernels::Error if the file is missing, is not a recording, is truncated, corrupt or
// inconsistent, or was written by a newer version. Never allocates more than the file's own (bounded) contents need.
Recording read(const std::filesystem::path& path);

// The same for the bytes of a file in memory, for example to send them elsewhere. Throw like write() and read(), and
// std::bad_alloc.
std::vector<std::byte> to_file_bytes(const Recording& recording);
Recording from_file_bytes(std::span<const std::byte> bytes);

// Returns the first differences between two recordings, access by access, as sentences; empty if they are equal.
// Compares stage, parameters, problem, launch, arrays, totals per line, owners and traces. Ignores device, time,
// placements, resources and source text: they describe where the launch ran, not what it did.
std::vector<std::string> differences(const Recording& a, const Recording& b, size_t limit = 20);

} // namespace recording
