// Encodes numbers, texts and whole messages for a page in few bytes.
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
    // Adds a number with seven bits per byte, lowest first. The highest bit of a byte says that another byte follows.
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

// Packs many short texts that differ mainly in their numbers. Each text is split into its numbers and a form, which has
// gaps for the numbers.
class PackedWords {
public:
    explicit PackedWords(const std::vector<std::string>& texts);

    // Returns the new index of a text, because the texts are sorted by their forms.
    std::size_t place(std::size_t text) const { return places_[text]; }

    // Returns the packed texts. ByteWriter writes all numbers. The data contains the number of forms, and for each
    // form:
    //     the number of its parts, which are the words around the gaps; for each part: its length in bytes, its words
    //     for each gap: the number of digits after the decimal point
    //     the number of texts of this form
    //     for each gap: 0 if the values follow as differences to the text before, 1 if they follow as they are; the
    //     values of all texts, without decimal points
    const std::string& bytes() const { return bytes_; }

private:
    std::vector<std::size_t> places_;
    std::string bytes_;
};

// Compresses messages to a page as one stream. The page can read each message as soon as it arrives. Messages become
// shorter by referring to earlier ones. (The compression that Boost.Beast has for WebSocket is not used, because it is
// a copy of zlib 1.2.11, whose memory an input can corrupt up to Boost 1.79: CVE-2018-25032.)

class Deflater {
public:
    Deflater();

    // Compresses the message's length (four bytes, lowest first) and the message. Returns the new part of the stream.
    std::string add(std::string_view message);

private:
    struct Stream;
    std::shared_ptr<Stream> stream_;
};

// Compresses all bytes at once, to the smallest size. The result has zlib's header; DecompressionStream calls this
// format 'deflate'.
std::string deflated(std::string_view bytes);

} // namespace app
