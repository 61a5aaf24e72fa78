#include "app/catalogue/checked_json.h"

#include "recording/disk.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace app {

namespace {

constexpr int deepest = 32;
constexpr uint64_t largest_file = 16u << 20;

[[noreturn]] void refuse(const char* name, std::string_view why)
{
    throw kernels::Error(fmt::format("{} {}", name, why));
}

} // namespace

nlohmann::json parse_json(std::string_view text)
try {
    return nlohmann::json::parse(text, [](int depth, nlohmann::json::parse_event_t, const nlohmann::json&) {
        if (depth > deepest)
            throw kernels::Error("it is nested too deeply");
        return true;
    });
} catch (const nlohmann::json::exception&) { // its words are for programmers
    throw kernels::Error("it is damaged");
}

nlohmann::json read_json(const std::filesystem::path& file)
{
    return parse_json(recording::read_whole(file, largest_file));
}

Fields::Fields(const nlohmann::json& object) : object_(object)
{
    if (!object.is_object())
        throw kernels::Error("it is damaged");
}

bool Fields::has(const char* name) const
{
    const auto found = object_.find(name);
    return found != object_.end() && !found->is_null();
}

const nlohmann::json& Fields::at(const char* name) const
{
    const auto found = object_.find(name);
    if (found == object_.end())
        refuse(name, "is missing");
    return *found;
}

const nlohmann::json::array_t& Fields::list(const char* name) const
{
    const nlohmann::json& value = at(name);
    if (!value.is_array())
        refuse(name, "is not a list");
    return value.get_ref<const nlohmann::json::array_t&>();
}

const nlohmann::json::object_t& Fields::object(const char* name) const
{
    const nlohmann::json& value = at(name);
    if (!value.is_object())
        refuse(name, "has no names");
    return value.get_ref<const nlohmann::json::object_t&>();
}

std::string Fields::text(const char* name) const
{
    const nlohmann::json& value = at(name);
    if (!value.is_string())
        refuse(name, "is not a text");
    return value.get<std::string>();
}

bool Fields::flag(const char* name) const
{
    const nlohmann::json& value = at(name);
    if (!value.is_boolean())
        refuse(name, "is neither true nor false");
    return value.get<bool>();
}

float Fields::factor(const char* name) const
{
    const nlohmann::json& value = at(name);
    const float number = value.is_number() ? value.get<float>() : std::nanf("");
    if (!std::isfinite(number))
        refuse(name, "is not a number");
    return number;
}

double Fields::figure(const char* name) const
{
    const nlohmann::json& value = at(name);
    const double number = value.is_number() ? value.get<double>() : std::nan("");
    if (!(number >= 0) || !std::isfinite(number))
        refuse(name, "is not a number of at least zero");
    return number;
}

double Fields::positive(const char* name) const
{
    const double number = figure(name);
    if (number == 0)
        refuse(name, "is not above zero");
    return number;
}

std::optional<double> Fields::maybe_positive(const char* name) const
{
    return has(name) ? std::optional(positive(name)) : std::nullopt;
}

uint64_t Fields::whole_of(const nlohmann::json& value, const char* name, uint64_t least, uint64_t most)
{
    // What was written as 1e300 is no integer.
    const bool negative = !value.is_number_unsigned() && value.is_number_integer() && value.get<int64_t>() < 0;
    if (!value.is_number_integer() || negative || value.get<uint64_t>() < least || value.get<uint64_t>() > most)
        refuse(name, fmt::format("is not a whole number from {} to {}", least, most));
    return value.get<uint64_t>();
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
