#include "cuda/cubin.h"

#include "error.h"

#include <elf.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstring>

namespace cuda {

namespace {

template <class T>
T read(std::string_view bytes, uint64_t offset)
{
    if (offset > bytes.size() || sizeof(T) > bytes.size() - offset)
        throw kernels::Error("The compiled kernel is damaged: it is shorter than it says.");
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

std::string_view part(std::string_view bytes, uint64_t offset, uint64_t size)
{
    if (offset > bytes.size() || size > bytes.size() - offset)
        throw kernels::Error("The compiled kernel is damaged: it is shorter than it says.");
    return bytes.substr(offset, size);
}

// The contents of the ELF section of that name.
std::string_view section(std::string_view cubin, std::string_view wanted)
{
    const auto file = read<Elf64_Ehdr>(cubin, 0);
    if (std::memcmp(file.e_ident, ELFMAG, SELFMAG) != 0 || file.e_shentsize != sizeof(Elf64_Shdr))
        throw kernels::Error("The compiled kernel is damaged: it is no cubin.");
    const auto header = [&](uint64_t index) {
        return read<Elf64_Shdr>(cubin, file.e_shoff + index * sizeof(Elf64_Shdr));
    };
    const Elf64_Shdr names = header(file.e_shstrndx);
    const std::string_view text = part(cubin, names.sh_offset, names.sh_size);
    for (uint64_t i = 0; i < file.e_shnum; ++i) {
        const Elf64_Shdr current = header(i);
        if (current.sh_name >= text.size())
            throw kernels::Error("The compiled kernel is damaged: a section's name is missing.");
        const std::string_view rest = text.substr(current.sh_name);
        if (rest.substr(0, rest.find('\0')) == wanted)
            return part(cubin, current.sh_offset, current.sh_size);
    }
    throw kernels::Error(fmt::format("The compiled kernel has no section {}.", wanted));
}

// The low nine bits of an instruction say what it does; the three above them where its operands come from.
const char* memory_name(uint64_t low)
{
    switch (low & 0x1ff) {
    case 0x181: return "LDG";
    case 0x186: return "STG";
    case 0x184: return "LDS";
    case 0x188: return "STS";
    case 0x183: return "LDL";
    case 0x187: return "STL";
    default: return nullptr;
    }
}

const char* arithmetic_name(uint64_t low)
{
    switch (low & 0x1ff) {
    case 0x023: return "FFMA";
    case 0x020: return "FMUL";
    case 0x021: return "FADD";
    default: return nullptr;
    }
}

int width_in_bits(uint64_t high)
{
    constexpr int widths[] = {8, 8, 16, 16, 32, 64, 128, 128}; // 0 to 3: unsigned and signed
    return widths[high >> 9 & 7];
}

} // namespace

std::map<std::string, int> instruction_counts(std::string_view cubin, std::string_view kernel)
{
    const std::string_view code = section(cubin, fmt::format(".text.{}", kernel));
    std::map<std::string, int> counts;
    for (uint64_t at = 0; at + 16 <= code.size(); at += 16) {
        const auto low = read<uint64_t>(code, at), high = read<uint64_t>(code, at + 8);
        if (const char* name = memory_name(low))
            ++counts[fmt::format("{}.{}", name, width_in_bits(high))];
        else if (const char* operation = arithmetic_name(low))
            ++counts[operation];
    }
    return counts;
}

} // namespace cuda
