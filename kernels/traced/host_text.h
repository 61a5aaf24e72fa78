// Finds the launches in a CUDA file's host program, which is not run. It guesses where macros hide C++ constructs.
#pragma once

#include "traced/expression.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace traced {

struct WrittenLaunch {
    std::string text; // "scale<<<n / 64, 64, 0, stream>>>"
    unsigned line = 0;
    // The constructor arguments of a named dim3: "n/32,4". They use the host program's names, which may mean nothing
    // elsewhere.
    std::string grid, block;
};
std::optional<WrittenLaunch> launch_in(std::string_view text, std::string_view kernel);

// Returns the equivalent in a file's comment, "grid=N/64 block=64", if the extents can be evaluated with these names;
// otherwise an example of such a comment.
std::string example_of(const WrittenLaunch& launch, const Names& names);

// Returns a sentence for each property of the host program's launches that is not reproduced here. `clusters` says
// whether blocks run in clusters.
std::vector<std::string> notes_of_launches(std::string_view text, bool clusters);

} // namespace traced
