// What a compiler, or the kernel when it ran, says against a source, line by line. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace app {

struct SourceProblem {
    uint32_t line = 0; // 0: of none
    std::string words;
};

// In the order said; `file`: the source's name without its folder. What names no line of it is one problem of no line, where
// nothing else is found.
std::vector<SourceProblem> problems_in(std::string_view said, std::string_view file);

} // namespace app
