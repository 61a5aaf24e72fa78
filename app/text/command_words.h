// A command as a person types it, as the words that a program is started with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace app {

// Split at blanks, but for what stands in single or double quotes or after a backslash, as a shell does; nothing is expanded.
// Throws kernels::Error where a quote is not closed.
std::vector<std::string> command_words(std::string_view typed);

// The other way: as one word of a command, between quotes; plain words stay as they are.
std::string quoted_for_shell(std::string_view word);
std::string word_for_shell(std::string_view word);

} // namespace app
