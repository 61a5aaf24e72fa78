// Which characters of a source are code, comments, and words between quotes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace traced {

enum class Part : char { code, comment, quoted };

// What each character belongs to; the quote that ends words counts as code.
std::vector<Part> parts_of(std::string_view text);

// What of the text a compiler takes in, line by line: without comments, and without blanks that change nothing. Texts of which
// this is equal compile to the same, but for the columns of errors.
std::string compiled_words(std::string_view text);

} // namespace traced
