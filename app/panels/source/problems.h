// Errors that a compiler or a running kernel reports for a source, by line. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace app {

struct SourceProblem {
    uint32_t line = 0; // 0: no line
    std::string words;
};

// Returns the errors in their order. `file` is the source's name without its folder. If no error names a line, the
// whole text becomes one error without a line.
std::vector<SourceProblem> problems_in(std::string_view said, std::string_view file);

} // namespace app
