#include "cuda/disassembler.h"

#include "cuda/toolkit_paths.h"
#include "machine_code/disassembly.h"

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

fs::path find_program()
{
    std::vector<fs::path> folders;
    std::string_view rest = std::getenv("PATH") ? std::getenv("PATH") : "";
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        folders.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    for (const fs::path& home : toolkit_homes())
        folders.push_back(home / "bin");
    for (const fs::path& folder : folders)
        if (fs::path program = folder / "nvdisasm"; program.is_absolute() && access(program.c_str(), X_OK) == 0)
            return program;
    return {};
}

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

Disassembler::Disassembler() : program_(find_program()) {}

std::map<uint32_t, std::string> Disassembler::texts(std::string_view cubin) const
{
    std::error_code missing; // TMPDIR may name no folder
    std::string file = (fs::temp_directory_path(missing) / "gemmscope-XXXXXX").string();
    if (missing || program_.empty() || !is_plain(program_.string()) || !is_plain(file))
        return {};
    const int descriptor = mkstemp(file.data());
    if (descriptor < 0)
        return {};
    close(descriptor);
    std::ofstream(file, std::ios::binary) << cubin;
    const std::string text = output_of(program_.string() + " -c " + file + " 2>/dev/null");
    std::error_code ignored;
    fs::remove(file, ignored);
    return parse_disassembly(text);
}

} // namespace cuda
