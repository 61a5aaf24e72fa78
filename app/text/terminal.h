// Makes text from external sources safe to print on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace app {

// Replaces by '?' everything that a terminal would obey or show as something else: ESC and other control characters
// including the two-byte ones (C1, U+0080 to U+009F), characters that change the text direction, and invalid UTF-8,
// part of which a terminal may obey. Keeps newlines and tabs.
std::string harmless(std::string_view text);

// Returns the number of bytes in complete characters. The last character may be incomplete.
std::size_t whole_characters(std::string_view text);

// Removes the complete characters from the text and returns them made harmless. The rest stays for the next call.
std::string take_harmless(std::string& text);

} // namespace app
