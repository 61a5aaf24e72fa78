// JSON of which nothing is believed: files may be damaged or made to do harm. Both reading functions throw kernels::Error in words
// that go behind a file's name: "it is damaged". What its values may be is checked by app/catalogue/fields_json.h.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <string_view>

namespace app {

// Refuses what is nested more deeply than any file of ours: a stack or gigabytes would not be enough for it.
nlohmann::json parse_json(std::string_view text);

// Of at most 16 MiB.
nlohmann::json read_json(const std::filesystem::path& file);

// Null where there is none, or where it is not finite: JSON has no NaN.
nlohmann::json or_null(const std::optional<double>& value);
nlohmann::json or_null(double value);

} // namespace app
