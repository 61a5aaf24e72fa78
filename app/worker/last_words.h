// The last output of a process, for a sentence that says why the process failed.
#pragma once

#include <string>
#include <string_view>

namespace app {

class LastWords {
public:
    void add(std::string_view text);
    void clear() { text_.clear(); }

    // Returns the last informative line. A shell's message about a signal is used only if there is no other line.
    std::string line() const;

private:
    std::string text_;
};

} // namespace app
