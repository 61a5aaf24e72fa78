#include "app/worker/last_words.h"

#include "app/text/terminal.h"

#include <algorithm>
#include <cstddef>

namespace app {

void LastWords::add(std::string_view text)
{
    constexpr std::size_t most = 4096;
    text_ += text;
    text_.erase(0, text_.size() - std::min(text_.size(), most));
}

std::string LastWords::line() const
{
    std::string line;
    for (std::size_t begin = 0; begin < text_.size();) {
        const std::size_t end = std::min(text_.find('\n', begin), text_.size());
        const std::string one = harmless(std::string_view(text_).substr(begin, end - begin));
        if (one.find_first_not_of(' ') != std::string::npos && one != "Aborted" && one != "Segmentation fault")
            line = one.substr(0, whole_characters(std::string_view(one).substr(0, 300)));
        begin = end + 1;
    }
    return line;
}

} // namespace app
