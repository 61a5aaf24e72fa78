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
#include <elf.h>

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

inline std::string_view part_of(std::string_view bytes, uint64_t offset, uint64_t size)
{
    if (offset > bytes.size() || size > bytes.size() - offset)
        throw kernels::Error("The compiled kernel is damaged: it is shorter than it says.");
    return bytes.substr(offset, size);
}

// Returns the contents of a section, or nothing if there is none of that name. Throws kernels::Error if the file is
// damaged. Inline, because the injected library uses it, too.
inline std::optional<std::string_view> find_section(std::string_view file, std::string_view name)
{
    const auto start = read_at<Elf64_Ehdr>(file, 0);
    if (std::memcmp(start.e_ident, ELFMAG, SELFMAG) != 0 || start.e_shentsize != sizeof(Elf64_Shdr))
        throw kernels::Error("The compiled kernel is damaged: it is no cubin.");
    const auto header = [&](uint64_t index) {
        return read_at<Elf64_Shdr>(file, start.e_shoff + index * sizeof(Elf64_Shdr));
    };
    const Elf64_Shdr names = header(start.e_shstrndx);
    const std::string_view text = part_of(file, names.sh_offset, names.sh_size);
    for (uint64_t i = 0; i < start.e_shnum; ++i) {
        const Elf64_Shdr current = header(i);
        if (current.sh_name >= text.size())
            throw kernels::Error("The compiled kernel is damaged: a section's name is missing.");
        const std::string_view rest = text.substr(current.sh_name);
        if (rest.substr(0, rest.find('\0')) == name)
            return part_of(file, current.sh_offset, current.sh_size);
    }
    return std::nullopt;
}

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
