// Which launch of a program is shown first, where its user names none.
//
// The rule, in this order:
//   1. A kernel that only puts values into memory, which its name says ("init", "fill_random", "memset"), comes after all others.
//   2. A kernel with shared memory comes before one without: its banks and barriers are what there is to see.
//   3. The one with more work: instructions of warps, or on a GPU the time of one launch.
//   4. The later one: programs go from the simple kernel to the better one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace traced {

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
std::optional<std::size_t> telling_launch(std::span<const LaunchToShow> launches);

} // namespace traced
