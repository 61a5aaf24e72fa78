#include "recording/values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace recording {

namespace {

// Converts a 16-bit number with an exponent of 5 bits, as IEEE 754 defines it.
double number_of_half(uint16_t bits)
{
    const int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
    const double size = exponent == 0      ? std::ldexp(fraction, -24)
                        : exponent != 0x1f ? std::ldexp(0x400 + fraction, exponent - 25)
                        : fraction == 0    ? std::numeric_limits<double>::infinity()
                                           : std::numeric_limits<double>::quiet_NaN();
    return (bits & 0x8000) != 0 ? -size : size;
}

} // namespace

Scalar scalar_of(const std::string& type)
{
    if (type.starts_with("double"))
        return Scalar::twofold;
    if (type.starts_with("half") || type.starts_with("__half"))
        return Scalar::half;
    if (type.find("bfloat16") != std::string::npos)
        return Scalar::bfloat;
    if (type.starts_with("float"))
        return Scalar::single;
    return Scalar::whole;
}

bool is_unsigned(const std::string& type)
{
    return type.find("unsigned") != std::string::npos || type.starts_with("uint") || type == "size_t";
}

uint32_t scalar_bytes(const std::string& type, uint32_t element_bytes)
{
    switch (scalar_of(type)) {
    case Scalar::single: return 4;
    case Scalar::twofold: return 8;
    case Scalar::half:
    case Scalar::bfloat: return 2;
    case Scalar::whole: return element_bytes > 8 ? 4 : element_bytes;
    }
    return 4;
}

double number_at(const std::byte* from, const std::string& type, uint32_t bytes)
{
    const auto load = [from](auto bits) {
        std::memcpy(&bits, from, sizeof bits);
        return bits;
    };
    switch (scalar_of(type)) {
    case Scalar::single: return load(0.0f);
    case Scalar::twofold: return load(0.0);
    case Scalar::half: return number_of_half(load(uint16_t{0}));
    case Scalar::bfloat: return std::bit_cast<float>(uint32_t{load(uint16_t{0})} << 16);
    case Scalar::whole: break;
    }
    int64_t whole = 0;
    std::memcpy(&whole, from, std::min<uint32_t>(bytes, 8));
    const int unused = 64 - 8 * static_cast<int>(std::min<uint32_t>(bytes, 8));
    return is_unsigned(type) ? static_cast<double>(static_cast<uint64_t>(whole))
                             : static_cast<double>(whole << unused >> unused);
}

const Values* values_of(const Recording& recording, std::size_t array)
{
    if (!recording.executed)
        return nullptr;
    const auto found = std::ranges::find(recording.executed->values, array, &Values::array);
    return found == recording.executed->values.end() ? nullptr : &*found;
}

std::span<const uint8_t> bytes_at(const Values& values, Moment moment)
{
    const std::vector<uint8_t>& after = values.after.empty() ? values.before : values.after;
    if (moment == Moment::before)
        return values.before;
    if (moment == Moment::after || (values.ran_again && values.again.empty()))
        return after;
    return values.again;
}

std::optional<double> value_at(const Recording& recording, const Values& values, Moment moment, uint64_t offset)
{
    const std::span<const uint8_t> bytes = bytes_at(values, moment);
    const uint32_t size = scalar_bytes(values.type, recording.arrays[values.array].element_bytes);
    if (offset + size > bytes.size())
        return {};
    return number_at(reinterpret_cast<const std::byte*>(bytes.data()) + offset, values.type, size);
}

} // namespace recording
