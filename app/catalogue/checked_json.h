// Reads untrusted JSON: a file may be damaged or malicious. Both reading functions throw kernels::Error whose text
// continues a file name, for example "it is damaged". app/catalogue/fields_json.h checks the values.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <string_view>

namespace app {

// Parses the text. Refuses JSON that is nested more deeply than any of our files, because it could exhaust the stack or
// memory.
nlohmann::json parse_json(std::string_view text);

// Reads a file of at most 16 MiB.
nlohmann::json read_json(const std::filesystem::path& file);

// Return null for a missing or non-finite value, because JSON has no NaN.
nlohmann::json or_null(const std::optional<double>& value);
nlohmann::json or_null(double value);

} // namespace app
