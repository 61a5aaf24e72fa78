// A sentence with its figures, written where they are known:
//     rich("**{}** conflicts instead of {}", now, before)
// The marks are those of a template (viz/text/templates.h): **figure**, *emphasis*, `code`, a line that begins with "> " is an
// aside, one with "### " a heading. {} is the next argument: a count, a Quantity, words, a colour's square, the sign of an origin, or
// another sentence.
#pragma once

#include "viz/text/templates.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace viz {

// Throws TextError where there are more or fewer arguments than {}.
Rich rich_of(std::string_view format, const std::vector<Value>& arguments);

template <class... Arguments>
Rich rich(std::string_view format, Arguments&&... arguments)
{
    return rich_of(format, {Value(std::forward<Arguments>(arguments))...});
}

inline Rich rich(const Message& message)
{
    return compose(message);
}
Rich rich(const Messages& messages); // with blanks between
inline Rich rich(Rich sentence)
{
    return sentence;
}

// One after the other: with a blank between, or each on a line of its own.
Rich joined(std::vector<Rich> parts);
Rich in_lines(std::vector<Rich> parts);
Rich listed(std::vector<Rich> parts); // "one, two and three"

// "1 conflict", "8,192 conflicts"; the plural where it is not the noun with an s.
std::string counted(uint64_t count, std::string_view one, std::string_view many);

} // namespace viz
