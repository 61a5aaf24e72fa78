// Text from elsewhere on its way to a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace app {

// With '?' for what a terminal would obey or show as something else: ESC and other control characters, those of two bytes too (C1,
// U+0080 to U+009F), characters that turn the direction of the text, and bytes that are no UTF-8, of which a terminal may obey
// some. Ends of lines and tabs stay.
std::string harmless(std::string_view text);

// How many bytes of the text are whole characters: the last one may have come in part.
std::size_t whole_characters(std::string_view text);

// Takes these off the text, which keeps the rest for what comes next.
std::string take_harmless(std::string& text);

} // namespace app
