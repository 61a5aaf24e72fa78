// Splits a command that the user typed into the arguments for starting a program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace app {

// Splits at blanks, except within single or double quotes and after a backslash, like a shell. Expands nothing. Throws
// kernels::Error if a quote is not closed.
std::vector<std::string> command_words(std::string_view typed);

// The other way: as one word of a command, between quotes; plain words stay as they are.
std::string quoted_for_shell(std::string_view word);
std::string word_for_shell(std::string_view word);

} // namespace app
