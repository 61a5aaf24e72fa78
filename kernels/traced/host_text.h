// Finds the launches in a CUDA file's host program, which is not run. It guesses where macros hide C++ constructs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace traced {

struct WrittenLaunch {
    std::string kernel; // with template arguments where the launch has them: "scale<float>"
    std::string text;   // "scale<<<n / 64, 64, 0, stream>>>"
    unsigned line = 0;
    // Of a dim3 that has a name what it is made with: "n/32,4". In the host program's names, which may mean nothing
    // elsewhere.
    std::string grid, block, shared;
    std::vector<std::string> arguments; // likewise
};
// "scale<float>" of "ns::scale<float>" that ends before `end` in code without comments; empty: there is no name.
std::string called_before(std::string_view code, std::size_t end);

std::vector<WrittenLaunch> launches_in(std::string_view text); // in the order of the text

// Returns a sentence for each property of the host program's launches that is not reproduced here. `clusters` says
// whether blocks run in clusters.
std::vector<std::string> notes_of_launches(std::string_view text, bool clusters);

// Which launch of a program is shown first, where its user names none.
//
// The rule, in this order:
//   1. A kernel that only puts values into memory, which its name says ("init", "fill_random", "memset"), and one of Thrust or CUB come
//      after all others.
//   2. A kernel with shared memory comes before one without: its banks and barriers are what there is to see.
//   3. The one with more work: instructions of warps, or on a GPU the time of one launch.
//   4. The later one: programs go from the simple kernel to the better one.

struct LaunchToShow {
    std::string_view kernel;   // its name as a person reads it: "scale<float>"
    uint64_t shared_bytes = 0; // of a block
    double work = 0;           // all launches of one comparison in one unit
};

// Rules 1 and 2 alone, known before the kernel runs: the larger number is shown first.
int rank_of(const LaunchToShow& launch);

// Whether `later`, which was launched after `earlier`, is shown instead of it.
bool is_shown_instead(const LaunchToShow& later, const LaunchToShow& earlier);

// Its place among the launches, which are in their order; none: there is no launch.
std::optional<std::size_t> default_launch(std::span<const LaunchToShow> launches);

} // namespace traced
