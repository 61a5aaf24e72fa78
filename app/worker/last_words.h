// The last output of a process, for a sentence that says why the process failed.
#pragma once

#include <string>
#include <string_view>

namespace app {

class LastWords {
public:
    void add(std::string_view text);
    void clear() { text_.clear(); }

    // Returns the last informative line. Ignores the line with which a shell reports a signal at the end.
    std::string line() const;

private:
    std::string text_;
};

} // namespace app
