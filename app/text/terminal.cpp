#include "app/text/terminal.h"

namespace app {

std::string harmless(std::string_view text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0xff;
        const bool laid_out = byte == '\n' || byte == '\r' || byte == '\t';
        if (byte == 0xc2 && next < 0xa0) {
            result += '?';
            ++i;
        } else {
            result += (byte < 0x20 || byte == 0x7f) && !laid_out ? '?' : text[i];
        }
    }
    return result;
}

} // namespace app
