// Numbers, types and spaces as PTX writes them.
#pragma once

#include "ptx/module.h"

#include <optional>
#include <string_view>

namespace ptx {

// 12, 0x1f, 0b101, 017, 3U, 1.5, 0f3F800000 (the bits of a float), 0d3FF0000000000000 (of a double). A floating-point number
// is an operand whose value has the bits of a double, whatever its width. None: it is no number.
std::optional<Operand> number_of(std::string_view text);

// Of a variable or register of that type (".f32"); 0: there is no such type.
uint64_t bytes_of_type(std::string_view type);

std::optional<Space> space_of(std::string_view word); // ".shared"

} // namespace ptx
