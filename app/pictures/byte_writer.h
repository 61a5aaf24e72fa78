// Numbers as few bytes, as assets/web/frames.js reads them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace app {

class ByteWriter {
public:
    // Seven bits a byte, the lowest first; the highest bit says that more follow.
    void number(uint64_t value)
    {
        for (; value >= 0x80; value >>= 7)
            bytes_.push_back(static_cast<char>(value | 0x80));
        bytes_.push_back(static_cast<char>(value));
    }
    // The same of a number that may be negative: small ones of either sign are short.
    void difference(int64_t value) { number((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63)); }
    void colour(uint32_t value)
    {
        for (int shift = 0; shift < 32; shift += 8)
            bytes_.push_back(static_cast<char>(value >> shift & 0xff));
    }
    void bytes(std::string_view text) { bytes_.append(text); }

    const std::string& text() const { return bytes_; }
    std::string take() { return std::move(bytes_); }
    void clear() { bytes_.clear(); }

private:
    std::string bytes_;
};

} // namespace app
