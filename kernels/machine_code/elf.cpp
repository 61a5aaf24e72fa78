#include "machine_code/elf.h"

namespace cuda {

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
