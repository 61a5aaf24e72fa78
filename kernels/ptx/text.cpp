#include "ptx/text.h"

#include "error.h"

#include <fmt/format.h>

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

    // Of a decimal number such as 1.5e-3; hexadecimal ones have letters of their own.
    bool has_exponent(std::size_t begin) const
    {
        const std::string_view so_far = text_.substr(begin, at_ - begin);
        return (so_far.ends_with('e') || so_far.ends_with('E')) && so_far.find('.') != std::string_view::npos;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    uint32_t line_ = 1;
};

} // namespace

std::vector<Token> tokens_of(std::string_view text)
{
    return Lexer(text).run();
}

} // namespace ptx
