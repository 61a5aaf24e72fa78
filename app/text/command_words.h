// Text in the forms that other programs require: words of a command, file names, base64.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

// Splits a command that the user typed into the arguments for starting a program.

// Splits at blanks, except within single or double quotes and after a backslash, like a shell. Expands nothing. Throws
// kernels::Error if a quote is not closed.
std::vector<std::string> command_words(std::string_view typed);

// Return the text as one word of a shell command: always in quotes, or only if it needs them.
std::string quoted_for_shell(std::string_view word);
std::string word_for_shell(std::string_view word);

// Makes file names from names of other things.

// Returns FOLDER/NAME.EXTENSION, with a number added if that file exists. The name may come from a file and contain
// anything. Every character that is no letter, digit, '-' or '_' becomes '_', and the name is cut after 100 characters.
std::filesystem::path free_path(const std::filesystem::path& folder, std::string_view name, std::string_view extension);

// Returns "Saved FILE."
std::string saved_notice(const std::filesystem::path& file);

// Base64 (RFC 4648): encodes three bytes as four characters.

std::string to_base64(std::string_view bytes);

// Returns nothing if the text is no complete base64 with its padding.
std::optional<std::string> from_base64(std::string_view text);

} // namespace app
