#include "cuda/disassembler.h"

#include "cuda/toolkit_paths.h"
#include "machine_code/disassembly.h"
#include "machine_code/elf.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <unistd.h>
#include <vector>

namespace cuda {

namespace {

namespace fs = std::filesystem;

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

// Anything else in a path would have to be quoted for the shell.
bool is_plain(const std::string& path)
{
    return path.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+") ==
           std::string::npos;
}

} // namespace

Disassembler::Disassembler() : program_(find_program("nvdisasm")) {}

std::map<uint32_t, std::string> Disassembler::texts(std::string_view cubin, std::string_view kernel) const
{
    std::error_code missing; // TMPDIR may name no folder
    std::string file = (fs::temp_directory_path(missing) / "gemmscope-XXXXXX").string();
    if (missing || program_.empty() || !is_plain(program_.string()) || !is_plain(file))
        return {};
    const std::optional<uint32_t> symbol = find_symbol(cubin, kernel);
    if (!symbol)
        return {};
    const int descriptor = mkstemp(file.data());
    if (descriptor < 0)
        return {};
    close(descriptor);
    std::ofstream(file, std::ios::binary) << cubin;
    const std::string text = output_of(fmt::format("{} -c -fun {} {} 2>/dev/null", program_.string(), *symbol, file));
    std::error_code ignored;
    fs::remove(file, ignored);
    return parse_disassembly(text);
}

} // namespace cuda
