// The host program of a CUDA file taken out of its text, for a compiler that knows no host. Guesses where C++ can hide things
// behind macros.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace traced {

// Macros that stand for what only device code has: DEVICE of "#define DEVICE __device__ __forceinline__". `known`: those of
// other files.
std::vector<std::string> device_macros(std::string_view text, std::vector<std::string> known = {});

struct HostCodeHints {
    std::vector<std::string> device_macros = {};
    // Lines with which a compiler had nothing to do: what is not marked as device code goes with them.
    std::set<unsigned> wrong_lines = {};
};

// Blanks instead of what no kernel can use: functions that are not marked as device code, in classes too, their declarations,
// variables that are no constants, and what names CUDA's runtime or the standard library. Every line stays where it is.
std::string without_host_code(std::string_view text, const HostCodeHints& hints = {});

} // namespace traced
