#include "machine_code/elf.h"

#include <elf.h>

namespace cuda {

namespace {

std::string_view part(std::string_view bytes, uint64_t offset, uint64_t size)
{
    if (offset > bytes.size() || size > bytes.size() - offset)
        throw kernels::Error("The compiled kernel is damaged: it is shorter than it says.");
    return bytes.substr(offset, size);
}

} // namespace

std::optional<std::string_view> find_section(std::string_view file, std::string_view name)
{
    const auto start = read_at<Elf64_Ehdr>(file, 0);
    if (std::memcmp(start.e_ident, ELFMAG, SELFMAG) != 0 || start.e_shentsize != sizeof(Elf64_Shdr))
        throw kernels::Error("The compiled kernel is damaged: it is no cubin.");
    const auto header = [&](uint64_t index) {
        return read_at<Elf64_Shdr>(file, start.e_shoff + index * sizeof(Elf64_Shdr));
    };
    const Elf64_Shdr names = header(start.e_shstrndx);
    const std::string_view text = part(file, names.sh_offset, names.sh_size);
    for (uint64_t i = 0; i < start.e_shnum; ++i) {
        const Elf64_Shdr current = header(i);
        if (current.sh_name >= text.size())
            throw kernels::Error("The compiled kernel is damaged: a section's name is missing.");
        const std::string_view rest = text.substr(current.sh_name);
        if (rest.substr(0, rest.find('\0')) == name)
            return part(file, current.sh_offset, current.sh_size);
    }
    return std::nullopt;
}

std::optional<uint32_t> find_symbol(std::string_view file, std::string_view name)
{
    const std::string_view table = find_section(file, ".symtab").value_or("");
    const std::string_view names = find_section(file, ".strtab").value_or("");
    for (uint64_t i = 0; (i + 1) * sizeof(Elf64_Sym) <= table.size(); ++i) {
        const auto symbol = read_at<Elf64_Sym>(table, i * sizeof(Elf64_Sym));
        const std::string_view rest = symbol.st_name < names.size() ? names.substr(symbol.st_name) : "";
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && rest.substr(0, rest.find('\0')) == name)
            return static_cast<uint32_t>(i);
    }
    return std::nullopt;
}

} // namespace cuda
