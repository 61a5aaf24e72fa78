// JSON of which nothing is believed: files may be damaged, of another gemmscope or made to do harm. All functions throw
// kernels::Error in words that go behind a file's name: "median_ms is not above zero".
#pragma once

#include "error.h"

#include <nlohmann/json_fwd.hpp>

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

// Refuses what is nested more deeply than any file of ours: a stack or gigabytes would not be enough for it.
nlohmann::json parse_json(std::string_view text);

// Of at most 16 MiB.
nlohmann::json read_json(const std::filesystem::path& file);

// An object: each field is checked on its way to its type.
class Fields {
public:
    explicit Fields(const nlohmann::json& object);

    const nlohmann::json& json() const { return object_; }
    bool has(const char* name) const; // there, and not null
    const nlohmann::json& at(const char* name) const;
    const std::vector<nlohmann::json>& list(const char* name) const;
    const std::map<std::string, nlohmann::json, std::less<>>& object(const char* name) const;
    std::string text(const char* name) const;
    bool flag(const char* name) const;

    float factor(const char* name) const;    // finite
    double figure(const char* name) const;   // finite, at least zero
    double positive(const char* name) const; // finite, above zero
    std::optional<double> maybe_positive(const char* name) const;

    template <std::integral T>
    T whole(const char* name, T least = 0, T most = std::numeric_limits<T>::max()) const
    {
        return static_cast<T>(whole_of(at(name), name, static_cast<uint64_t>(least), static_cast<uint64_t>(most)));
    }
    template <std::integral T>
    T whole_or(const char* name, T otherwise) const
    {
        return has(name) ? whole<T>(name) : otherwise;
    }

    static uint64_t whole_of(const nlohmann::json& value, const char* name, uint64_t least, uint64_t most);

private:
    const nlohmann::json& object_;
};

// Null where there is none, or where it is not finite: JSON has no NaN.
nlohmann::json or_null(const std::optional<double>& value);
nlohmann::json or_null(double value);

} // namespace app
