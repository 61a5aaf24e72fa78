#include "ptx/literals.h"

#include <bit>
#include <charconv>
#include <cstdlib>

namespace ptx {

namespace {

// The double of the same value; a NaN keeps its bits in the places that narrowing takes them from.
uint64_t widened(uint32_t bits)
{
    if ((bits & 0x7f800000) == 0x7f800000)
        return (uint64_t{bits & 0x80000000} << 32) | 0x7ff0000000000000 | (uint64_t{bits & 0x7fffff} << 29);
    return std::bit_cast<uint64_t>(static_cast<double>(std::bit_cast<float>(bits)));
}

std::optional<uint64_t> digits_of(std::string_view digits, int base)
{
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    const std::string_view rest = digits.substr(static_cast<std::size_t>(end - digits.data()));
    if (error != std::errc() || !(rest.empty() || rest == "U" || rest == "u"))
        return {};
    return value;
}

std::optional<uint64_t> value_of_number(std::string_view text, bool& is_float)
{
    const std::string_view start = text.substr(0, 2), rest = text.substr(start.size());
    if (start == "0f" || start == "0F") {
        is_float = true;
        const std::optional<uint64_t> bits = rest.size() == 8 ? digits_of(rest, 16) : std::nullopt;
        return bits ? std::optional(widened(static_cast<uint32_t>(*bits))) : bits;
    }
    if (start == "0d" || start == "0D") {
        is_float = true;
        return rest.size() == 16 ? digits_of(rest, 16) : std::nullopt;
    }
    if (start == "0x" || start == "0X")
        return digits_of(rest, 16);
    if (start == "0b" || start == "0B")
        return digits_of(rest, 2);
    if (text.find('.') != std::string_view::npos) {
        is_float = true;
        return std::bit_cast<uint64_t>(std::strtod(std::string(text).c_str(), nullptr));
    }
    const bool octal =
        text.size() > 1 && text[0] == '0' && text.find_first_not_of("01234567") == std::string_view::npos;
    return digits_of(text, octal ? 8 : 10);
}

} // namespace

uint64_t bytes_of_type(std::string_view type)
{
    if (type == ".pred")
        return 1;
    const std::size_t digit = type.find_first_of("0123456789");
    uint64_t bits = 0;
    if (digit != std::string_view::npos)
        std::from_chars(type.data() + digit, type.data() + type.size(), bits);
    if (type.ends_with("x2"))
        bits = 32;
    return bits == 0 || bits > 128 ? 0 : bits / 8;
}

std::optional<Space> space_of(std::string_view word)
{
    if (word == ".global")
        return Space::global;
    if (word == ".shared" || word == ".shared::cta")
        return Space::shared;
    if (word == ".local")
        return Space::local;
    if (word == ".const")
        return Space::constant;
    if (word == ".param")
        return Space::parameter;
    return {};
}

std::optional<Operand> number_of(std::string_view text)
{
    Operand result{.kind = Operand::Kind::immediate};
    const std::optional<uint64_t> value = value_of_number(text, result.is_float);
    if (!value)
        return {};
    result.value = *value;
    return result;
}

} // namespace ptx
