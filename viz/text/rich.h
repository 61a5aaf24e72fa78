// Builds a sentence from a format and its numbers:
//     rich("**{}** conflicts instead of {}", now, before)
// The markup is that of a template (viz/text/templates.h): **figure**, *emphasis*, `code`; a line that begins with "> "
// is an aside, and a line that begins with "### " a heading. Each {} takes the next argument: a count, a Quantity,
// text, a swatch, an origin mark, or another sentence.
#pragma once

#include "viz/text/templates.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace viz {

// Throws TextError if the number of arguments differs from the number of {}.
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
Rich rich(const Messages& messages); // separated by blanks
inline Rich rich(Rich sentence)
{
    return sentence;
}

// Joins the parts with blanks, or puts each on a line of its own.
Rich joined(std::vector<Rich> parts);
Rich in_lines(std::vector<Rich> parts);
Rich listed(std::vector<Rich> parts); // "one, two and three"

// Returns "1 conflict", "8,192 conflicts", for a noun whose plural is not formed with s.
std::string counted(uint64_t count, std::string_view one, std::string_view many);

} // namespace viz
