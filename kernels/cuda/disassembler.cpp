#include "cuda/disassembler.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <unistd.h>

namespace cuda {

namespace {

namespace fs = std::filesystem;

fs::path find_program()
{
    std::string folders = std::getenv("PATH") ? std::getenv("PATH") : "";
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* home = std::getenv(variable))
            folders += ":" + (fs::path(home) / "bin").string();
    folders += ":/usr/local/cuda/bin:/opt/cuda/bin";
    for (std::size_t at = 0; at < folders.size();) {
        const std::size_t end = std::min(folders.find(':', at), folders.size());
        fs::path program = fs::path(folders.substr(at, end - at)) / "nvdisasm";
        if (end > at && access(program.c_str(), X_OK) == 0)
            return program;
        at = end + 1;
    }
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
    std::string file = (fs::temp_directory_path() / "gemmscope-XXXXXX").string();
    if (program_.empty() || !is_plain(program_.string()) || !is_plain(file))
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

// Lines such as "        /*0090*/              @!P0 LDS.128 R4, [R2+0x10] ;"
std::map<uint32_t, std::string> parse_disassembly(std::string_view text)
{
    std::map<uint32_t, std::string> result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        at = end + 1;
        const std::size_t open = line.find("/*"), close = line.find("*/");
        const std::size_t last = line.find(';');
        if (open == std::string_view::npos || close == std::string_view::npos || last == std::string_view::npos ||
            last < close)
            continue;
        uint32_t address = 0;
        const auto [stop, error] = std::from_chars(line.data() + open + 2, line.data() + close, address, 16);
        if (error != std::errc() || stop != line.data() + close)
            continue;
        std::string_view words = line.substr(close + 2, last - close - 2);
        words.remove_prefix(std::min(words.find_first_not_of(" \t"), words.size()));
        words = words.substr(0, words.find_last_not_of(" \t") + 1);
        result.emplace(address, words);
    }
    return result;
}

} // namespace cuda
