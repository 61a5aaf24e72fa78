// Tensor maps in --args: map(A:half,64,64,128) has boxes of 64 x 64 elements of A, swizzled in 128 bytes.
#pragma once

#include "traced/expression.h"
#include "traced/launch.h"

#include <optional>
#include <string>

namespace traced {

struct WrittenMap {
    std::string buffer, type; // "A", "half"
    MapBox box;
};

// Returns nothing if the text is another kind of argument. `words` names the parameter in sentences. Throws
// kernels::Error.
std::optional<WrittenMap> map_in(const std::string& text, const Names& names, const std::string& words);

// The syntax of such an argument, as the end of a sentence.
inline constexpr const char* map_form =
    "map(BUFFER:TYPE,ROWS,COLUMNS,SWIZZLE), such as map(A:half,64,64,128): what a copy takes, and the bytes of its "
    "swizzle (0, 32, 64 or 128)";

} // namespace traced
