// Divides a source text into code, comments and quoted text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace traced {

enum class Part : char { code, comment, quoted };

// Returns the part that each character belongs to; a closing quote counts as code.
std::vector<Part> parts_of(std::string_view text);

// Returns what the compiler sees of the text, line by line: without comments and insignificant blanks. Texts with equal
// results compile to the same code, except for the columns in error messages.
std::string compiled_words(std::string_view text);

} // namespace traced
