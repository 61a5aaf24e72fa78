// The sections of an ELF file in memory: what a cubin is made of.
#pragma once

#include "error.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace cuda {

template <class T>
T read_at(std::string_view bytes, uint64_t offset)
{
    if (offset > bytes.size() || sizeof(T) > bytes.size() - offset)
        throw kernels::Error("The compiled kernel is damaged: it is shorter than it says.");
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

// The contents of the section of that name; absent where there is none. Throws kernels::Error where the file is damaged.
std::optional<std::string_view> find_section(std::string_view file, std::string_view name);

// The place of the symbol of that name in the symbol table; absent where there is none. Throws likewise.
std::optional<uint32_t> find_symbol(std::string_view file, std::string_view name);

} // namespace cuda
