// Recording files (.gscope): versioned, compressed, verified on reading, written atomically.
// The format is described in recording.fbs and in docs/recording-format.md.
#pragma once

#include "error.h"
#include "recording/format.h"
#include "recording/recording.h"

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace recording {

// Writes a recording. Throws kernels::Error (error.h) with a sentence that names the file, for example if it cannot be
// created or the disk is full. Replaces an existing file only by a complete one.
void write(const Recording& recording, const std::filesystem::path& path);

// Reads a recording. Throws kernels::Error if the file is missing, is not a recording, is truncated, corrupt or
// inconsistent, or was written by a newer version. Allocates at most what the file's own (bounded) contents need.
Recording read(const std::filesystem::path& path);

// Convert to and from the bytes of a file in memory. Throw like write() and read(), and std::bad_alloc.
std::vector<std::byte> to_file_bytes(const Recording& recording);
Recording from_file_bytes(std::span<const std::byte> bytes);

// Returns the first differences between two recordings, access by access, as sentences. Returns none if they are equal.
// Compares stage, parameters, problem, launch, arrays, totals per line, owners and traces. Ignores device, time,
// placements, resources and source text: they describe where the launch ran, not what it did.
std::vector<std::string> differences(const Recording& a, const Recording& b, size_t limit = 20);

// The container of a recording file: a header of 40 bytes and one zstd frame. This code handles only bytes.

// A defect of compressed content; the message is half a sentence.
class Damage : public kernels::Error {
public:
    using Error::Error;
};

// A growing buffer of bytes. Allocation does not clear the memory, so untouched pages take none. It grows with realloc,
// which moves the pages of large blocks instead of copying them.
class Content {
public:
    std::span<const std::byte> bytes() const { return {data.get(), size}; }
    std::span<std::byte> room() { return {data.get() + size, capacity - size}; }
    void add(size_t count) { size += count; } // marks this many bytes of room() as filled
    void reserve(size_t new_capacity);

private:
    struct Free {
        void operator()(std::byte* memory) const { std::free(memory); }
    };
    std::unique_ptr<std::byte, Free> data;
    size_t size = 0, capacity = 0;
};
using Packed = Content;

// Returns false if no recording starts with these bytes. Fewer bytes than a header may still be the start of one.
bool starts_like_header(std::span<const std::byte> bytes);

// Parses a header. Returns nothing if its checksum does not match.
std::optional<Header> header_from(std::span<const std::byte, header_bytes> bytes);

// Compresses the content into a whole file.
Packed pack(std::span<const std::byte> content);

// Fills the buffer with the next bytes of the file. Returns fewer bytes only at the end of the file.
using ReadBytes = std::function<size_t(std::span<std::byte>)>;

// Decompresses the frame after the header. Memory grows with the bytes that arrive, up to the header's size. Throws
// Damage.
Content decompress(const ReadBytes& read, const Header& header);

} // namespace recording
