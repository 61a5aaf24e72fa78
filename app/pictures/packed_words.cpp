#include "app/pictures/packed_words.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <new>
#include <string_view>
#include <utility>

namespace app {

namespace {

struct Form {
    std::vector<std::string> parts;  // words around the numbers, so one more than numbers
    std::vector<std::size_t> digits; // number of digits after the decimal point of each number
    friend auto operator<=>(const Form&, const Form&) = default;
};

bool is_digit(char one)
{
    return one >= '0' && one <= '9';
}

// Returns the text of a number with this number of digits after its decimal point.
std::string number_text(int64_t number, std::size_t digits)
{
    std::string text = std::to_string(number < 0 ? -number : number);
    if (digits > 0) {
        text.insert(0, digits + 1 > text.size() ? digits + 1 - text.size() : 0, '0');
        text.insert(text.size() - digits, ".");
    }
    return number < 0 ? "-" + text : text;
}

// Separates the numbers of a text from its words. A number that would read differently afterwards, such as -0.0 or 007,
// remains part of the words.
std::pair<Form, std::vector<int64_t>> taken_apart(std::string_view text)
{
    constexpr std::size_t most_characters = 15; // so that each number fits into int64_t and into a number of JavaScript
    Form form{{""}, {}};
    std::vector<int64_t> numbers;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + (text[at] == '-' ? 1 : 0);
        std::string plain(text.substr(at, end - at));
        while (end < text.size() && is_digit(text[end]))
            plain += text[end++];
        std::size_t digits = 0;
        if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1]) && end > at)
            for (++end; end < text.size() && is_digit(text[end]); ++digits)
                plain += text[end++];
        const std::string_view read = text.substr(at, end - at);
        int64_t number = 0;
        if (!plain.empty() && plain.size() <= most_characters)
            std::from_chars(plain.data(), plain.data() + plain.size(), number);
        if (!read.empty() && number_text(number, digits) == read) {
            numbers.push_back(number);
            form.digits.push_back(digits);
            form.parts.emplace_back();
        } else {
            end = std::max(end, at + 1);
            form.parts.back() += text.substr(at, end - at);
        }
        at = end;
    }
    return {form, numbers};
}

void write_column(const std::vector<std::vector<int64_t>>& rows, std::size_t column, ByteWriter& to)
{
    ByteWriter plain, differences;
    int64_t before = 0;
    for (const std::vector<int64_t>& row : rows) {
        plain.difference(row[column]);
        differences.difference(row[column] - std::exchange(before, row[column]));
    }
    const bool as_it_is = plain.text().size() <= differences.text().size();
    to.number(as_it_is ? 1 : 0);
    to.bytes(as_it_is ? plain.text() : differences.text());
}

} // namespace

PackedWords::PackedWords(const std::vector<std::string>& texts) : places_(texts.size())
{
    struct Texts {
        std::vector<std::size_t> which;
        std::vector<std::vector<int64_t>> numbers;
    };
    std::map<Form, Texts> by_form;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        auto [form, numbers] = taken_apart(texts[i]);
        Texts& of_form = by_form[std::move(form)];
        of_form.which.push_back(i);
        of_form.numbers.push_back(std::move(numbers));
    }
    ByteWriter all;
    std::size_t place = 0;
    all.number(by_form.size());
    for (const auto& [form, of_form] : by_form) {
        all.number(form.parts.size());
        for (const std::string& part : form.parts) {
            all.number(part.size());
            all.bytes(part);
        }
        for (const std::size_t digits : form.digits)
            all.number(digits);
        all.number(of_form.which.size());
        for (std::size_t column = 0; column < form.digits.size(); ++column)
            write_column(of_form.numbers, column, all);
        for (const std::size_t text : of_form.which)
            places_[text] = place++;
    }
    bytes_ = all.take();
}

struct Deflater::Stream {
    Stream()
    {
        constexpr int level = 6, window_bits = -15 /* no header */, memory_level = 8; // takes 256 KB of memory
        if (deflateInit2(&z, level, Z_DEFLATED, window_bits, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
            throw std::bad_alloc();
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() { deflateEnd(&z); }
    z_stream z{};
};

Deflater::Deflater() : stream_(std::make_shared<Stream>()) {}

std::string Deflater::add(std::string_view message)
{
    z_stream& z = stream_->z;
    std::string result;
    std::array<unsigned char, 16384> buffer;
    const auto compress = [&](std::string_view bytes, int flush) {
        z.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data())); // zlib does not write to it
        z.avail_in = static_cast<uInt>(bytes.size());
        do {
            z.next_out = buffer.data();
            z.avail_out = static_cast<uInt>(buffer.size());
            deflate(&z, flush);
            result.append(reinterpret_cast<const char*>(buffer.data()), buffer.size() - z.avail_out);
        } while (z.avail_out == 0);
    };
    std::array<char, 4> length;
    for (std::size_t i = 0; i < length.size(); ++i)
        length[i] = static_cast<char>(message.size() >> (8 * i) & 0xff);
    compress({length.data(), length.size()}, Z_NO_FLUSH);
    compress(message, Z_SYNC_FLUSH);
    return result;
}

std::string deflated(std::string_view bytes)
{
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string result(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                  static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION) != Z_OK)
        throw std::bad_alloc();
    result.resize(size);
    return result;
}

} // namespace app
