// Finds the launches in a CUDA file's host program without running it. Where macros hide C++ constructs, it guesses.
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
    std::string kernel; // with its template arguments, if the launch has them: "scale<float>"
    std::string text;   // "scale<<<n / 64, 64, 0, stream>>>"
    unsigned line = 0;
    // A named dim3 is replaced by its constructor's arguments: "n/32,4". Other names are those of the host program.
    std::string grid, block, shared;
    std::vector<std::string> arguments; // in the host program's names, too
};
// Returns the name that ends before `end`, in code without comments: "scale<float>" for "ns::scale<float>". Returns an
// empty text if there is none.
std::string called_before(std::string_view code, std::size_t end);

std::vector<WrittenLaunch> launches_in(std::string_view text); // in the order of the text

// Returns a sentence for each property of the host program's launches that is not reproduced here. `clusters` says
// whether blocks run in clusters.
std::vector<std::string> notes_of_launches(std::string_view text, bool clusters);

// Chooses the launch of a program that is shown first if the user names none.
//
// The rules, in this order:
// 1. Kernels of Thrust and CUB come last, and so do kernels that only prepare memory. These are known by their names
// ("init", "fill_random", "memset").
// 2. A kernel with shared memory comes before one without, since its banks and barriers are worth seeing.
// 3. The launch with more work comes first: more instructions of warps, or on a GPU a longer time.
// 4. The later launch comes first, since programs go from the simple kernel to the better one.

struct LaunchToShow {
    std::string_view kernel;   // the readable name: "scale<float>"
    uint64_t shared_bytes = 0; // per block
    double work = 0;           // in one unit for all launches that are compared
};

// Applies rules 1 and 2, which need no run of the kernel. The launch with the larger rank is shown first.
int rank_of(const LaunchToShow& launch);

// Returns whether `later` is shown instead of `earlier`, which was launched before it.
bool is_shown_instead(const LaunchToShow& later, const LaunchToShow& earlier);

// Returns the index of the launch that is shown first, or nothing if there is no launch. The launches are in the order
// in which they were made.
std::optional<std::size_t> default_launch(std::span<const LaunchToShow> launches);

} // namespace traced
