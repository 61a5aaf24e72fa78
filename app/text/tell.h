// Prints to standard output and standard error, and makes text from external sources safe to print there. All output of
// the program goes through these functions.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace app {

// Replaces with '?' what a terminal would execute or display as something else: ESC and other control characters
// including the two-byte ones (C1, U+0080 to U+009F), characters that change the text direction, and invalid UTF-8,
// parts of which a terminal may execute. Keeps newlines and tabs.
std::string harmless(std::string_view text);

// Returns the number of bytes in complete characters. The last character may be incomplete.
std::size_t whole_characters(std::string_view text);

// Removes the complete characters from the text and returns them made harmless. The rest stays for the next call.
std::string take_harmless(std::string& text);

// Prints to standard output.
template <class... Arguments>
void write_out(fmt::format_string<Arguments...> words, Arguments&&... arguments)
{
    const std::string text = harmless(fmt::format(words, std::forward<Arguments>(arguments)...));
    std::fwrite(text.data(), 1, text.size(), stdout); // a write error is checked when the program ends
}

// Prints a value of nlohmann's types as JSON to standard output. Escapes everything that is not ASCII, so that nothing
// is lost.
template <class Json>
void write_json(const Json& json, int indent = 2)
{
    write_out("{}\n", json.dump(indent, ' ', true, Json::error_handler_t::replace));
}

// Writes to standard error. A standard error that is closed or full does not end the program.
template <class... Arguments>
void tell(fmt::format_string<Arguments...> words, Arguments&&... arguments)
{
    const std::string text = harmless(fmt::format(words, std::forward<Arguments>(arguments)...));
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

// Prints the progress on a line that the next call overwrites. Prints nothing if standard error is not a terminal.
template <class... Arguments>
void tell_progress(fmt::format_string<Arguments...> words, Arguments&&... arguments)
{
    if (isatty(fileno(stderr)) != 0)
        tell("\r{}", fmt::format(words, std::forward<Arguments>(arguments)...));
}

} // namespace app
