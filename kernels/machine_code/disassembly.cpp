#include "machine_code/disassembly.h"

#include <algorithm>
#include <charconv>

namespace cuda {

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
