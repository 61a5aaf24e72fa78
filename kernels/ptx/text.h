// A tokenizer for PTX, a reader of its tokens from front to back, and PTX's numbers, types and spaces.
#pragma once

#include "error.h"
#include "ptx/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptx {

struct Token {
    enum class Kind : uint8_t { word, number, string, mark, end };
    Kind kind = Kind::end;
    std::string_view text; // part of the PTX; strings are without quotes, marks have one character
    uint32_t line = 0;     // counted from 1
};

// Splits the text into tokens. The last one is of kind end. Throws kernels::Error with the line if a character or
// comment is invalid. `text` must outlive the tokens.
std::vector<Token> tokens_of(std::string_view text);

// Parses numbers such as 12, 0x1f, 0b101, 017, 3U, 1.5, 0f3F800000 (the bits of a float) and 0d3FF0000000000000 (the
// bits of a double). The value of a floating-point number is the bits of a double, whatever its width. Returns nothing
// if the text is not a number.
std::optional<Operand> number_of(std::string_view text);

// Returns the size of a variable or register of that type (".f32"), or 0 if there is no such type.
uint64_t bytes_of_type(std::string_view type);

std::optional<Space> space_of(std::string_view word); // ".shared"

class TokenReader {
protected:
    explicit TokenReader(std::string_view text) : tokens_(tokens_of(text)) {}

    using Kind = Token::Kind;

    const Token& here(std::size_t ahead = 0) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }
    bool at_end() const { return here().kind == Kind::end; }
    bool is(std::string_view text) const { return here().kind != Kind::string && here().text == text; }
    const Token& take()
    {
        const Token& token = here();
        if (at_ + 1 < tokens_.size())
            ++at_;
        return token;
    }
    bool accept(std::string_view text)
    {
        if (!is(text) || at_end())
            return false;
        take();
        return true;
    }
    [[noreturn]] void fail(const std::string& what) const
    {
        throw kernels::Error(fmt::format("Line {} of the PTX cannot be read: {}.", here().line, what));
    }
    void expect(std::string_view text)
    {
        if (!accept(text))
            fail(fmt::format("'{}' stands where '{}' should", here().text, text));
    }
    // Calls one() for each element of a list with commas, up to the token `end`.
    template <class One>
    void separated(std::string_view end, One one)
    {
        while (!accept(end)) {
            one();
            if (!is(end))
                expect(",");
        }
    }
    std::string word(const char* what)
    {
        if (here().kind != Kind::word)
            fail(fmt::format("'{}' stands where {} should", here().text, what));
        return std::string(take().text);
    }

    void skip_line()
    {
        const uint32_t line = here().line;
        while (!at_end() && here().line == line)
            take();
    }

    void skip_braces()
    {
        int depth = 0;
        do {
            if (is("{"))
                ++depth;
            else if (is("}"))
                --depth;
            take();
        } while (depth > 0 && !at_end());
    }

    void skip_to_semicolon()
    {
        while (!at_end() && !accept(";"))
            take();
    }

    std::size_t place() const { return at_; } // number of the next token

    // Returns the text of the tokens from `first` to before `end`, with single blanks.
    std::string spelled(std::size_t first, std::size_t end) const
    {
        std::string result;
        for (std::size_t at = first; at < end; ++at) {
            const std::string_view text = tokens_[at].text;
            const bool after_word =
                at > 0 && (tokens_[at - 1].kind == Kind::word || tokens_[at - 1].kind == Kind::number);
            const bool is_word = tokens_[at].kind != Kind::mark || text == "[" || text == "{" || text == "-";
            const bool space = (is_word && after_word) || (at > 0 && tokens_[at - 1].text == ",");
            result += (space ? " " : "") + std::string(text);
        }
        return result;
    }

private:
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
};

} // namespace ptx
