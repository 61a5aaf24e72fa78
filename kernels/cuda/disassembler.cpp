#include "cuda/disassembler.h"

#include "cuda/toolkit_paths.h"
#include "error.h"
#include "machine_code/disassembly.h"
#include "machine_code/elf.h"
#include "temporary_folder.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

namespace cuda {

namespace {

// What the program prints; empty where it fails.
std::string output_of(const std::string& command)
{
    const auto close = [](std::FILE* pipe) { pclose(pipe); };
    const std::unique_ptr<std::FILE, decltype(close)> pipe(popen(command.c_str(), "r"), close);
    std::string output;
    std::array<char, 4096> buffer{};
    while (pipe) {
        const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe.get());
        if (got == 0)
            break;
        output.append(buffer.data(), got);
    }
    return output;
}

} // namespace

Disassembler::Disassembler() : program_(find_program("nvdisasm")) {}

std::map<uint32_t, std::string> Disassembler::texts(std::string_view cubin, std::string_view kernel) const
try {
    const std::optional<uint32_t> symbol =
        program_.empty() ? std::nullopt : find_symbol(cubin, kernel); // a file may hold many kernels
    if (!symbol)
        return {};
    const kernels::TemporaryFolder folder;
    const std::string file = (folder.path() / "cubin").string();
    std::ofstream(file, std::ios::binary) << cubin;
    return parse_disassembly(
        output_of(fmt::format("{} -c -fun {} {} 2>/dev/null", quoted(program_.string()), *symbol, quoted(file))));
} catch (const kernels::Error&) { // no folder for the file, or no cubin
    return {};
}

} // namespace cuda
