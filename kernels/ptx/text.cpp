#include "ptx/text.h"

#include "error.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstdlib>

namespace ptx {

namespace {

bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%' || c == '.';
}

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) {}

    std::vector<Token> run()
    {
        std::vector<Token> tokens;
        while (skip_blanks(), at_ < text_.size())
            tokens.push_back(next());
        tokens.push_back({.kind = Token::Kind::end, .text = {}, .line = line_});
        return tokens;
    }

private:
    char here(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    void skip_blanks()
    {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\n')
                ++line_;
            if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0')
                ++at_;
            else if (c == '/' && here(1) == '/')
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (c == '/' && here(1) == '*')
                skip_comment();
            else
                return;
        }
    }

    void skip_comment()
    {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos)
            throw kernels::Error(fmt::format("Line {} of the PTX begins a comment that does not end.", line_));
        for (; at_ < end + 2; ++at_)
            line_ += text_[at_] == '\n';
    }

    Token next()
    {
        const std::size_t begin = at_;
        const auto token = [&](Token::Kind kind) {
            return Token{.kind = kind, .text = text_.substr(begin, at_ - begin), .line = line_};
        };
        if (is_letter(here())) {
            while (is_letter(here()) || is_digit(here()) || (here() == ':' && here(1) == ':') ||
                   (here() == ':' && at_ > begin && text_[at_ - 1] == ':'))
                ++at_;
            at_ = begin + length_of_space(text_.substr(begin, at_ - begin));
            return token(Token::Kind::word);
        }
        if (is_digit(here())) {
            while (is_letter(here()) || is_digit(here()) || ((here() == '-' || here() == '+') && has_exponent(begin)))
                ++at_;
            return token(Token::Kind::number);
        }
        if (here() == '"') {
            const std::size_t end = text_.find_first_of("\"\n", at_ + 1);
            if (end == std::string_view::npos || text_[end] != '"')
                throw kernels::Error(fmt::format("Line {} of the PTX begins a string that does not end.", line_));
            at_ = end + 1;
            return {.kind = Token::Kind::string, .text = text_.substr(begin + 1, end - begin - 1), .line = line_};
        }
        constexpr std::string_view marks = "{}[](),;:@!|+-=<>&*/~?";
        if (marks.find(here()) == std::string_view::npos)
            throw kernels::Error(fmt::format("Line {} of the PTX has a character that means nothing there.", line_));
        ++at_;
        return token(Token::Kind::mark);
    }

    // Returns the length of ".reg" in ".reg.b32". A declaration needs no blank between its space and its type.
    static std::size_t length_of_space(std::string_view word)
    {
        for (const std::string_view space : {".reg", ".shared", ".global", ".local", ".const", ".param"})
            if (word.starts_with(space) && word.size() > space.size() && word[space.size()] == '.')
                return space.size();
        return word.size();
    }

    // Returns whether the characters so far end with the "e" of an exponent, as in 1.5e-3. Only numbers with a decimal
    // point have exponents, because "e" is also a hexadecimal digit.
    bool has_exponent(std::size_t begin) const
    {
        const std::string_view so_far = text_.substr(begin, at_ - begin);
        return (so_far.ends_with('e') || so_far.ends_with('E')) && so_far.find('.') != std::string_view::npos;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    uint32_t line_ = 1;
};

// Returns the bits of the double with the same value. A NaN's bits are where conversion to float takes them from.
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

std::vector<Token> tokens_of(std::string_view text)
{
    return Lexer(text).run();
}

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
