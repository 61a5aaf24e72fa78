#include "app/catalogue/checked_json.h"

#include "error.h"
#include "recording/disk.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>

namespace app {

namespace {

constexpr int deepest = 32;
constexpr uint64_t largest_file = 16u << 20;

} // namespace

nlohmann::json parse_json(std::string_view text)
try {
    return nlohmann::json::parse(text, [](int depth, nlohmann::json::parse_event_t, const nlohmann::json&) {
        if (depth > deepest)
            throw kernels::Error("it is nested too deeply");
        return true;
    });
} catch (const nlohmann::json::exception&) { // its message addresses programmers
    throw kernels::Error("it is damaged");
}

nlohmann::json read_json(const std::filesystem::path& file)
{
    return parse_json(recording::read_whole(file, largest_file));
}

nlohmann::json or_null(const std::optional<double>& value)
{
    return value ? or_null(*value) : nlohmann::json(nullptr);
}

nlohmann::json or_null(double value)
{
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

} // namespace app
