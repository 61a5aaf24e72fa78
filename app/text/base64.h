// Bytes as text of 64 characters (RFC 4648), four for three bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace app {

std::string to_base64(std::string_view bytes);

// Nothing: it is no such text, whole and with its padding.
std::optional<std::string> from_base64(std::string_view text);

} // namespace app
