// The host program of a CUDA file, which is not run: what it asks of its launches. Guesses where C++ can hide things behind
// macros.
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
    // Of a dim3 that has a name what it is made with: "n/32,4". In the host program's names, which may mean nothing elsewhere.
    std::string grid, block;
};
std::optional<WrittenLaunch> launch_in(std::string_view text, std::string_view kernel);

// What says the same in a file's comment, "grid=N/64 block=64", where its extents have a value by these names; else what such
// a comment looks like.
std::string example_of(const WrittenLaunch& launch, const Names& names);

// A sentence for each thing that the host program asks of its launches and that is done otherwise here. `clusters`: they are
// run in clusters.
std::vector<std::string> notes_of_launches(std::string_view text, bool clusters);

} // namespace traced
