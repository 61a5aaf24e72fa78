// Removes the host program from the text of a CUDA file, for a compiler without a host. Where macros hide C++
// constructs, it guesses.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace traced {

// Returns macros that expand to device-only markers, such as DEVICE in "#define DEVICE __device__ __forceinline__".
// `known` has those of other files.
std::vector<std::string> device_macros(std::string_view text, std::vector<std::string> known = {});

struct HostCodeHints {
    std::vector<std::string> device_macros = {};
    // Lines that a compiler rejected. Declarations there that are not marked as device code are removed too.
    std::set<unsigned> wrong_lines = {};
};

// Replaces with blanks what no kernel can use: functions that are not marked as device code (also in classes), their
// declarations, variables that are not constants, and uses of CUDA's runtime or the standard library. Line numbers do
// not change.
std::string without_host_code(std::string_view text, const HostCodeHints& hints = {});

} // namespace traced
