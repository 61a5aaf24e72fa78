// What surrounds the content in a recording file: a header of 40 bytes and one zstd frame. Knows bytes, not recordings.
#pragma once

#include "error.h"
#include "recording/format.h"

#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>

namespace recording {

// What is wrong with a compressed content, as half a sentence.
class Damage : public kernels::Error {
public:
    using Error::Error;
};

// Bytes that are not cleared when allocated, so that pages which are never touched cost nothing, and that realloc
// grows: for large blocks it moves pages instead of copying.
class Content {
public:
    std::span<const std::byte> bytes() const { return {data.get(), size}; }
    std::span<std::byte> room() { return {data.get() + size, capacity - size}; }
    void add(size_t count) { size += count; } // of room(), now filled
    void reserve(size_t new_capacity);

private:
    struct Free {
        void operator()(std::byte* memory) const { std::free(memory); }
    };
    std::unique_ptr<std::byte, Free> data;
    size_t size = 0, capacity = 0;
};
using Packed = Content;

// False when a file cannot be a recording; fewer bytes than a header may still be the start of one.
bool starts_like_header(std::span<const std::byte> bytes);

// Empty when the header's checksum does not match.
std::optional<Header> header_from(std::span<const std::byte, header_bytes> bytes);

// The whole file.
Packed pack(std::span<const std::byte> content);

// Fills the buffer with what follows in the file; fewer bytes only at its end.
using ReadBytes = std::function<size_t(std::span<std::byte>)>;

// The content of the frame that follows the header. Memory grows with what really arrives, up to what the header
// declares. Throws Damage.
Content decompress(const ReadBytes& read, const Header& header);

} // namespace recording
