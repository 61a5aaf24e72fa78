// Reads sections of an ELF file in memory, such as a cubin, and demangles the names of functions in it.
#pragma once

#include "error.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <cxxabi.h>

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

// Returns the contents of a section, or nothing if there is none of that name. Throws kernels::Error if the file is
// damaged.
std::optional<std::string_view> find_section(std::string_view file, std::string_view name);

// Returns the index of a symbol in the symbol table, or nothing if there is none of that name. Throws kernels::Error if
// the file is damaged.
std::optional<uint32_t> find_symbol(std::string_view file, std::string_view name);

} // namespace cuda

namespace kernels {

// Returns "fib(int)" for "_Z3fibi". A name that is not mangled stays unchanged: "s" is an array called s, although it
// is also the mangled type short. Returns an empty text for null.
inline std::string readable_name(const char* name)
{
    if (name == nullptr)
        return {};
    if (std::string_view(name).substr(0, 2) != "_Z")
        return name;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> plain(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                            &std::free);
    return status == 0 && plain ? plain.get() : name;
}

} // namespace kernels
