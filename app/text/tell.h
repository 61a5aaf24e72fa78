// Words on standard output and standard error, which may quote what came from elsewhere, such as names of files and kernels. All
// that the program prints goes through here.
#pragma once

#include "app/text/terminal.h"

#include <fmt/format.h>

#include <unistd.h>

#include <cstdio>
#include <string>
#include <utility>

namespace app {

// On standard output.
template <class... Arguments>
void write_out(fmt::format_string<Arguments...> words, Arguments&&... arguments)
{
    const std::string text = harmless(fmt::format(words, std::forward<Arguments>(arguments)...));
    std::fwrite(text.data(), 1, text.size(), stdout); // whether it arrived, its end asks
}

// On standard output, of nlohmann's types: what is not ASCII is escaped, so that nothing of it is lost.
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

// How far something is, in a line that the next one takes the place of; nothing where standard error is kept in a file.
template <class... Arguments>
void tell_progress(fmt::format_string<Arguments...> words, Arguments&&... arguments)
{
    if (isatty(fileno(stderr)) != 0)
        tell("\r{}", fmt::format(words, std::forward<Arguments>(arguments)...));
}

} // namespace app
