// What is sent to a page as few bytes: numbers, texts and whole messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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
    // Adds a signed number (zigzag encoding): small positive and small negative numbers take few bytes.
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

// Many short texts that differ in their numbers: each is a form, which has places for numbers, and the numbers.
class PackedWords {
public:
    explicit PackedWords(const std::vector<std::string>& texts);

    // Texts are ordered anew, by their forms: where one of them is now.
    std::size_t place(std::size_t text) const { return places_[text]; }

    // All numbers as ByteWriter writes them: how many forms; of each: how many parts, which are words between numbers;
    // of each part: bytes, words; of each number: how many digits it has behind its point; then how many texts have
    // this form, and of each number, text by text: 0 where each is the difference to the one before, 1 where not, and
    // the numbers without their points.
    const std::string& bytes() const { return bytes_; }

private:
    std::vector<std::size_t> places_;
    std::string bytes_;
};

// Messages to a page as one compressed stream, of which each message is a part that can be read at once. What was sent
// before makes what comes later shorter. (The compression that Boost.Beast has for WebSocket is a copy of zlib 1.2.11,
// whose memory an input can corrupt up to Boost 1.79: CVE-2018-25032.)

class Deflater {
public:
    Deflater();

    // The length of the message, as four bytes from the lowest, and the message, compressed.
    std::string add(std::string_view message);

private:
    struct Stream;
    std::shared_ptr<Stream> stream_;
};

// All of it at once, as small as can be, with zlib's header: what DecompressionStream calls 'deflate'.
std::string deflated(std::string_view bytes);

} // namespace app
