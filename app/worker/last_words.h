// The last of what a process wrote, for a sentence on why it is of no use.
#pragma once

#include <string>
#include <string_view>

namespace app {

class LastWords {
public:
    void add(std::string_view text);
    void clear() { text_.clear(); }

    // The last line that says something: that it was a signal a shell says after all others.
    std::string line() const;

private:
    std::string text_;
};

} // namespace app
