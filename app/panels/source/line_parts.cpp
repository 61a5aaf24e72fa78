#include "app/panels/source/line_parts.h"

#include <algorithm>

namespace app {

namespace {

// Where a part from `start` on ends that has `room` characters.
std::size_t end_of_part(std::string_view text, std::size_t start, std::size_t room, std::size_t indented)
{
    const std::size_t blank = text.rfind(' ', start + room);
    const std::size_t least = std::max(start, indented);
    if (blank != std::string_view::npos && blank > least + room / 2)
        return blank;
    const std::size_t bracket = text.find_last_of("(,[.", start + room - 1);
    if (bracket != std::string_view::npos && bracket > least)
        return bracket + (text[bracket] == '.' ? 0 : 1);
    return blank != std::string_view::npos && blank > least ? blank : start + room;
}

} // namespace

void add_parts(std::vector<LinePart>& parts, const SourceLine& line, std::size_t number, const LineRoom& room)
{
    const std::size_t size = line.text.size(), indented = std::min(indentation(line), size);
    std::size_t start = std::min(room.start, size), letters = std::max<std::size_t>(room.first, 1);
    std::size_t shown_number = number;
    while (size - start > letters) {
        const std::size_t end = end_of_part(line.text, start, letters, indented);
        parts.push_back({&line, start, end, shown_number});
        start = std::min(line.text.find_first_not_of(' ', end), size);
        letters = std::max<std::size_t>(room.more, 1);
        shown_number = 0;
    }
    if (start < size || shown_number != 0)
        parts.push_back({&line, start, size, shown_number});
}

} // namespace app
