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

// Throws kernels::Error (error.h) in a sentence that names the file: cannot be created, disk full. An existing file
// is replaced only by a complete one.
void write(const Recording& recording, const std::filesystem::path& path);

// Throws kernels::Error when the file is missing, is not a recording, is truncated, corrupt, inconsistent, or was
// written by a newer version; never allocates more than the file's own (bounded) contents need.
Recording read(const std::filesystem::path& path);

// The same with a file's bytes that are in memory, to be sent elsewhere. Throw likewise, and std::bad_alloc.
std::vector<std::byte> to_file_bytes(const Recording& recording);
Recording from_file_bytes(std::span<const std::byte> bytes);

// The first differences between two recordings, access by access, as sentences; empty when equal. Compared: stage,
// parameters, problem, launch, arrays, per-line totals, owners, traces. Not compared: device, time, placements,
// resources, source text: they say where it ran, not what it did.
std::vector<std::string> differences(const Recording& a, const Recording& b, size_t limit = 20);

} // namespace recording
