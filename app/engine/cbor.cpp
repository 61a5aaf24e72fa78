#include "app/engine/cbor.h"

#include "error.h"

#include <bit>

namespace app {

namespace {

enum CborKind : unsigned { cbor_whole, cbor_negative, cbor_bytes, cbor_text, cbor_list, cbor_simple = 7 };
enum CborInfo : unsigned { cbor_false = 20, cbor_true, cbor_null, first_length = 24, cbor_float = 26, cbor_double };

// Returns how many bytes (1, 2, 4 or 8) follow the first byte of a head to hold a value that does not fit into it.
unsigned bytes_behind(unsigned info)
{
    return info < first_length ? 0 : 1u << (info - first_length);
}

unsigned info_for(uint64_t value)
{
    return value < first_length  ? static_cast<unsigned>(value)
           : value <= UINT8_MAX  ? first_length
           : value <= UINT16_MAX ? first_length + 1
           : value <= UINT32_MAX ? first_length + 2
                                 : first_length + 3;
}

} // namespace

void CborWriter::head(unsigned kind, unsigned info, uint64_t value)
{
    if (++values_ > most_values)
        throw kernels::Error("What came of it is too much to be sent. Choose something smaller.");
    written_.push_back(static_cast<std::byte>(kind << 5 | info));
    for (unsigned byte = bytes_behind(info); byte-- > 0;)
        written_.push_back(static_cast<std::byte>(value >> (8 * byte)));
}

void CborWriter::whole(uint64_t value)
{
    head(cbor_whole, info_for(value), value);
}

void CborWriter::whole(int64_t value)
{
    if (value >= 0)
        return whole(static_cast<uint64_t>(value));
    const uint64_t below = ~static_cast<uint64_t>(value); // -1 is written as 0, -2 as 1
    head(cbor_negative, info_for(below), below);
}

void CborWriter::number(float value)
{
    head(cbor_simple, cbor_float, std::bit_cast<uint32_t>(value));
}

void CborWriter::number(double value)
{
    head(cbor_simple, cbor_double, std::bit_cast<uint64_t>(value));
}

void CborWriter::text(std::string_view value)
{
    head(cbor_text, info_for(value.size()), value.size());
    add(std::as_bytes(std::span(value)));
}

void CborWriter::bytes(std::span<const std::byte> value)
{
    head(cbor_bytes, info_for(value.size()), value.size());
    add(value);
}

void CborWriter::list(std::size_t count)
{
    head(cbor_list, info_for(count), count);
}

void CborWriter::flag(bool value)
{
    head(cbor_simple, value ? cbor_true : cbor_false, 0);
}

void CborWriter::null()
{
    head(cbor_simple, cbor_null, 0);
}

void CborReader::refuse(const char* why)
{
    throw kernels::Error(why);
}

std::span<const std::byte> CborReader::next(uint64_t count)
{
    if (count > rest_.size())
        refuse("it ends too early");
    const auto taken = rest_.first(static_cast<std::size_t>(count));
    rest_ = rest_.subspan(taken.size());
    return taken;
}

CborReader::Head CborReader::head()
{
    if (++values_ > most_values)
        refuse("it has more values than any task");
    const auto first = static_cast<unsigned>(next(1)[0]);
    Head head{first >> 5, first & 31, first & 31};
    if (head.info > cbor_double)
        refuse("it has a value without a length");
    if (head.info >= first_length)
        head.value = 0;
    for (const std::byte byte : next(bytes_behind(head.info)))
        head.value = head.value << 8 | static_cast<uint64_t>(byte);
    return head;
}

CborReader::Integer CborReader::integer()
{
    const Head found = head();
    if (found.kind > cbor_negative || (found.kind == cbor_negative && found.value > INT64_MAX))
        refuse("it has something else where a whole number should be");
    return {found.value, found.kind == cbor_negative};
}

float CborReader::single_number()
{
    const Head found = head();
    if (found.kind != cbor_simple || found.info != cbor_float)
        refuse("it has something else where a number should be");
    return std::bit_cast<float>(static_cast<uint32_t>(found.value));
}

double CborReader::number()
{
    const Head found = head();
    if (found.kind != cbor_simple || found.info != cbor_double)
        refuse("it has something else where a number should be");
    return std::bit_cast<double>(found.value);
}

std::string CborReader::text()
{
    const Head found = head();
    if (found.kind != cbor_text)
        refuse("it has something else where a text should be");
    const auto taken = next(found.value);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
}

std::span<const std::byte> CborReader::bytes()
{
    const Head found = head();
    if (found.kind != cbor_bytes)
        refuse("it has something else where a recording should be");
    return next(found.value);
}

std::size_t CborReader::list()
{
    const Head found = head();
    if (found.kind != cbor_list || found.value > rest_.size())
        refuse("it has something else where a list should be");
    return static_cast<std::size_t>(found.value);
}

void CborReader::list_of(std::size_t count)
{
    if (list() != count)
        refuse("a part has another form");
}

bool CborReader::flag()
{
    const Head found = head();
    if (found.kind != cbor_simple || (found.info != cbor_true && found.info != cbor_false))
        refuse("it has something else where yes or no should be");
    return found.info == cbor_true;
}

bool CborReader::null()
{
    if (rest_.empty() || rest_[0] != static_cast<std::byte>(cbor_simple << 5 | cbor_null))
        return false;
    head();
    return true;
}

void CborReader::end()
{
    if (!rest_.empty())
        refuse("something follows it");
}

} // namespace app
