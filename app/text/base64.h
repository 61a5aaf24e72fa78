// Base64 (RFC 4648): encodes three bytes as four characters.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace app {

std::string to_base64(std::string_view bytes);

// Returns nothing if the text is no complete base64 with its padding.
std::optional<std::string> from_base64(std::string_view text);

} // namespace app
