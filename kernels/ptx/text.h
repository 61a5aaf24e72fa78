// PTX's text cut into words and marks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptx {

struct Token {
    enum class Kind : uint8_t { word, number, string, mark, end };
    Kind kind = Kind::end;
    std::string_view text; // into the PTX; of a string without its quotes; of a mark one character
    uint32_t line = 0;     // counted from 1
};

// Throws kernels::Error with the line where a character or comment has no meaning. The last token is of kind end. `text`
// must outlive the tokens.
std::vector<Token> tokens_of(std::string_view text);

} // namespace ptx
