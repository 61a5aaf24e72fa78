// Words on standard error, which may quote what came from elsewhere. That nobody can read them there is no reason to stop.
#pragma once

#include "app/text/terminal.h"

#include <fmt/format.h>

#include <unistd.h>

#include <cstdio>
#include <string>

namespace app {

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
