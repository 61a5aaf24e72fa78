// What the members of a struct are, as the text of a CUDA file declares it: for kernels that get one by value.
#pragma once

#include "traced/source_text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace traced {

struct StructMember {
    TypeName type;
    std::string name; // "elements", "size.x"
    uint64_t first = 0, bytes = 0;
};

struct StructLayout {
    std::vector<StructMember> members; // of structs inside of it their own, in order
    uint64_t bytes = 0, alignment = 1;
};

// As C++ lays it out; CUDA's own dim3, int2, float4 and the like are known. None: the text declares no such struct, or one
// with members whose size is not known.
std::optional<StructLayout> struct_in(std::string_view text, std::string_view name);

} // namespace traced
