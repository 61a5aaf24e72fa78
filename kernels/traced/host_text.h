// Finds the launches in a CUDA file's host program, which is not run. It guesses where macros hide C++ constructs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace traced {

struct WrittenLaunch {
    std::string kernel; // with template arguments where the launch has them: "scale<float>"
    std::string text;   // "scale<<<n / 64, 64, 0, stream>>>"
    unsigned line = 0;
    // Of a dim3 that has a name what it is made with: "n/32,4". In the host program's names, which may mean nothing elsewhere.
    std::string grid, block, shared;
    std::vector<std::string> arguments; // likewise
};
// "scale<float>" of "ns::scale<float>" that ends before `end` in code without comments; empty: there is no name.
std::string called_before(std::string_view code, std::size_t end);

std::vector<WrittenLaunch> launches_in(std::string_view text); // in the order of the text

// Returns a sentence for each property of the host program's launches that is not reproduced here. `clusters` says
// whether blocks run in clusters.
std::vector<std::string> notes_of_launches(std::string_view text, bool clusters);

} // namespace traced
