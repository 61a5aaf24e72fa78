// Parses the members of a struct from the text of a CUDA file, for kernels that take one by value.
#pragma once

#include "traced/source_text.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace traced {

// Divides a source text into code, comments and quoted text.

enum class Part : char { code, comment, quoted };

// Returns the part that each character belongs to. A closing quotation mark counts as code.
std::vector<Part> parts_of(std::string_view text);

// Returns what the compiler sees of the text, line by line, without comments and insignificant blanks. Texts with equal
// results compile to the same code, except for the columns in error messages.
std::string compiled_words(std::string_view text);

struct StructMember {
    TypeName type;
    std::string name; // "elements", "size.x"
    uint64_t first = 0, bytes = 0;
};

struct StructLayout {
    std::vector<StructMember> members; // members of nested structs are listed individually, in order
    uint64_t bytes = 0, alignment = 1;
};

// Returns the layout that C++ gives the struct. Knows CUDA's vector types, such as dim3 and float4. Returns nothing if
// the text declares no such struct, or if the size of a member is unknown.
std::optional<StructLayout> struct_in(std::string_view text, std::string_view name);

} // namespace traced
