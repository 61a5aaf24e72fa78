// The envelope of a recording file: a header of 40 bytes and one zstd frame. This code handles bytes and knows nothing
// about recordings.
#pragma once

#include "error.h"
#include "recording/format.h"

#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>

namespace recording {

// A defect of compressed content; the message is half a sentence.
class Damage : public kernels::Error {
public:
    using Error::Error;
};

// A growing buffer of bytes. Allocation does not clear the memory, so pages that are never touched cost nothing. It
// grows with realloc, which moves the pages of large blocks instead of copying them.
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

// Returns false if a file that starts with these bytes cannot be a recording. Fewer bytes than a header may still be
// the start of one.
bool starts_like_header(std::span<const std::byte> bytes);

// Parses a header. Returns nothing if its checksum does not match.
std::optional<Header> header_from(std::span<const std::byte, header_bytes> bytes);

// Compresses the content into a whole file.
Packed pack(std::span<const std::byte> content);

// Fills the buffer with the next bytes of the file; returns fewer bytes only at the end of the file.
using ReadBytes = std::function<size_t(std::span<std::byte>)>;

// Decompresses the frame that follows the header. Memory grows with the bytes that actually arrive, up to the size in
// the header. Throws Damage.
Content decompress(const ReadBytes& read, const Header& header);

} // namespace recording
