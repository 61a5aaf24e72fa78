// Converts values with a fields() function (kernels/base/fields.h) to and from JSON, for files and --json: {"width": 4,
// "gbps": 3012.5}.
//
// Reading checks the limits that fields() states. All reading functions throw kernels::Error whose text continues a
// file name, for example "gbps is not above zero".
//
// If a file writes a value in another form, or if only the ladder can interpret it, a separate struct with fields()
// describes the file's form, and a function converts it to the value. A field of type nlohmann::json is passed through
// unchanged for such a function.
#pragma once

#include "app/data/shipped_file.h" // provides read_json() to users of this header

#include "base/fields.h"
#include "error.h"
#include "recording/recording.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace app {

using kernels::NamedEnum;
template <class T>
concept Text = std::same_as<T, std::string> || std::same_as<T, std::filesystem::path>;
template <class T>
concept Optional = std::same_as<T, std::optional<typename T::value_type>>;
template <class T>
concept Map = requires
{
    typename T::mapped_type;
};
template <class T>
concept List = !Text<T> && !Map<T> && requires(T & value)
{
    value.begin();
    value.clear();
};
template <class T>
inline constexpr bool is_tuple = false; // std::tie() of members that form one list
template <class... T>
inline constexpr bool is_tuple<std::tuple<T&...>> = true;

using NamedNumbers = std::vector<recording::Parameter>; // for example {"BM": 64, "BN": 128}

template <class T>
nlohmann::json to_named_json(const T& value);
template <class T>
void read_named_json(const nlohmann::json& json, T& value, const char* name, auto... limits);

template <class T>
bool is_empty(const T& value)
{
    if constexpr (Optional<T>)
        return !value;
    else
        return value == T{};
}

class FieldWriter {
public:
    explicit FieldWriter(nlohmann::json& to) : to_(to) {}

    template <class T, class... Limits>
    void operator()(const char* name, const T& value, Limits...)
    {
        if constexpr (kernels::is_among<kernels::UnlessEmpty, Limits...>)
            if (is_empty(value))
                return;
        to_[name] = to_named_json(value);
    }

private:
    nlohmann::json& to_;
};

class FieldReader {
public:
    explicit FieldReader(const nlohmann::json& from) : from_(from)
    {
        if (!from.is_object())
            throw kernels::Error("it is damaged");
    }

    template <class T, class... Limits>
    void operator()(const char* name, T&& value, Limits... limits)
    {
        const auto field = from_.find(name);
        if (field != from_.end() && !field->is_null())
            read_named_json(*field, value, name, limits...);
        else if constexpr (!Optional<std::remove_reference_t<T>> &&
                           !kernels::is_among<kernels::MayBeMissing, Limits...> &&
                           !kernels::is_among<kernels::UnlessEmpty, Limits...>)
            kernels::refuse_field(name, "is missing");
    }

private:
    const nlohmann::json& from_;
};

// Reads files that users may have edited by hand. Leaves a missing or invalid field unchanged, and skips invalid
// entries of lists and maps.
class TolerantReader {
public:
    explicit TolerantReader(const nlohmann::json& from) : from_(from) {}

    template <class T>
    void operator()(const char* name, T& value, auto... limits)
    {
        const auto field = from_.find(name);
        if (field == from_.end())
            return;
        if constexpr (List<T> && !std::same_as<T, NamedNumbers>) {
            if (!field->is_array())
                return;
            for (const nlohmann::json& one : *field)
                if (typename T::value_type read{}; takes(one, read, limits...))
                    value.insert(value.end(), std::move(read));
        } else if constexpr (Map<T>) {
            if (!field->is_object())
                return;
            for (const auto& [key, one] : field->items())
                if (typename T::mapped_type read{}; takes(one, read, limits...))
                    value[key] = std::move(read);
        } else if (T read{}; takes(*field, read, limits...)) {
            value = std::move(read);
        }
    }

private:
    template <class T>
    static bool takes(const nlohmann::json& json, T& value, auto... limits)
    try {
        read_named_json(json, value, "it", limits...);
        return true;
    } catch (const kernels::Error&) {
        return false;
    }

    const nlohmann::json& from_;
};

template <class... T>
nlohmann::json to_json_list(const std::tuple<T&...>& parts)
{
    nlohmann::json json = nlohmann::json::array();
    std::apply([&](const auto&... part) { (json.push_back(to_named_json(part)), ...); }, parts);
    return json;
}

template <class T>
nlohmann::json to_named_json(const T& value)
{
    using Json = nlohmann::json;
    if constexpr (std::same_as<T, Json>) {
        return value;
    } else if constexpr (std::same_as<T, std::filesystem::path>) {
        return value.string();
    } else if constexpr (NamedEnum<T>) {
        return names_of(value).at(static_cast<std::size_t>(value));
    } else if constexpr (std::floating_point<T>) {
        return std::isfinite(value) ? Json(value) : Json(); // JSON has no NaN
    } else if constexpr (Optional<T>) {
        return value ? to_named_json(*value) : Json();
    } else if constexpr (std::same_as<T, NamedNumbers>) {
        Json json = Json::object();
        for (const recording::Parameter& one : value)
            json[one.name] = one.value;
        return json;
    } else if constexpr (Map<T>) {
        Json json = Json::object();
        for (const auto& [key, one] : value)
            json[key] = to_named_json(one);
        return json;
    } else if constexpr (List<T> || kernels::is_std_array<T>) {
        Json json = Json::array();
        for (const auto& one : value)
            json.push_back(to_named_json(static_cast<const typename T::value_type&>(one)));
        return json;
    } else if constexpr (is_tuple<T>) {
        return to_json_list(value);
    } else if constexpr (kernels::HasFields<const T>) {
        Json json = Json::object();
        FieldWriter visit(json);
        fields(visit, value);
        return json;
    } else if constexpr (kernels::IsListed<T>) {
        return to_json_list(kernels::members(value));
    } else {
        static_assert(!kernels::PlainStruct<T>, "JSON with names needs a function fields()");
        return value;
    }
}

template <std::integral T>
void read_whole(const nlohmann::json& json, T& value, const char* name, auto... limits)
{
    const kernels::Between<T> range = kernels::range_of<T>(limits...);
    const auto fits = [&](auto number) {
        return std::cmp_greater_equal(number, range.least) && std::cmp_less_equal(number, range.most);
    };
    // A number written as 1e300 is no integer.
    if (!(json.is_number_unsigned()  ? fits(json.get<uint64_t>())
          : json.is_number_integer() ? fits(json.get<int64_t>())
                                     : false))
        kernels::refuse_whole(name, range);
    value = json.get<T>();
}

template <std::floating_point T, class... Limits>
void read_number(const nlohmann::json& json, T& value, const char* name, Limits... limits)
{
    if (!json.is_number())
        kernels::refuse_field(name, kernels::is_among<kernels::AnyNumber, Limits...>
                                        ? "is not a number"
                                        : "is not a number of at least zero");
    const T number = json.get<T>();
    kernels::check_limits(name, number, limits...);
    value = number;
}

template <class T>
void read_list(const nlohmann::json& json, T& list, const char* name, auto... limits)
{
    if (!json.is_array())
        kernels::refuse_field(name, "is not a list");
    list.clear(); // removes default elements
    for (const nlohmann::json& one : json) {
        typename T::value_type element{};
        read_named_json(one, element, name, limits...);
        list.insert(list.end(), std::move(element));
    }
}

template <class T>
void read_map(const nlohmann::json& json, T& map, const char* name, auto... limits)
{
    if (!json.is_object())
        kernels::refuse_field(name, "has no names");
    map.clear();
    for (const auto& [key, one] : json.items())
        read_named_json(one, map[key], key.c_str(), limits...);
}

// Reads a list with exactly one value per part.
template <class... T>
void read_parts(const nlohmann::json& json, const std::tuple<T&...>& parts, const char* name, auto... limits)
{
    if (!json.is_array() || json.size() != sizeof...(T))
        kernels::refuse_field(name, fmt::format("is not a list of {}", sizeof...(T)));
    std::size_t next = 0;
    std::apply([&](auto&... part) { (read_named_json(json[next++], part, name, limits...), ...); }, parts);
}

template <NamedEnum T>
void read_name(const nlohmann::json& json, T& value, const char* name)
{
    const auto names = names_of(value);
    if (!json.is_string())
        kernels::refuse_field(name, "is not a text");
    const auto found = std::ranges::find(names, json.get_ref<const std::string&>());
    if (found == names.end())
        kernels::refuse_field(name, fmt::format("is '{}', which is none of {}", json.get_ref<const std::string&>(),
                                                fmt::join(names, ", ")));
    value = static_cast<T>(found - names.begin());
}

template <class T>
void read_named_json(const nlohmann::json& json, T& value, const char* name, auto... limits)
{
    if constexpr (std::same_as<T, nlohmann::json>) {
        value = json;
    } else if constexpr (Text<T>) {
        if (!json.is_string())
            kernels::refuse_field(name, "is not a text");
        const auto& text = json.get_ref<const std::string&>();
        kernels::check_limits(name, text, limits...);
        value = text;
    } else if constexpr (std::same_as<T, bool>) {
        if (!json.is_boolean())
            kernels::refuse_field(name, "is neither true nor false");
        value = json.get<bool>();
    } else if constexpr (NamedEnum<T>) {
        read_name(json, value, name);
    } else if constexpr (std::integral<T>) {
        read_whole(json, value, name, limits...);
    } else if constexpr (std::floating_point<T>) {
        read_number(json, value, name, limits...);
    } else if constexpr (Optional<T>) {
        read_named_json(json, value.emplace(), name, limits...);
    } else if constexpr (std::same_as<T, NamedNumbers>) {
        std::map<std::string, int> numbers;
        read_map(json, numbers, name);
        value.clear();
        for (const auto& [key, number] : numbers)
            value.push_back({key, number});
    } else if constexpr (Map<T>) {
        read_map(json, value, name, limits...);
    } else if constexpr (List<T>) {
        read_list(json, value, name, limits...);
    } else if constexpr (is_tuple<T>) {
        read_parts(json, value, name, limits...);
    } else if constexpr (kernels::HasFields<T>) {
        FieldReader visit(json);
        fields(visit, value);
    } else {
        static_assert(kernels::IsListed<T>, "JSON with names needs a function fields()");
        read_parts(json, kernels::members(value), name, limits...);
    }
}

template <class T>
T from_named_json(const nlohmann::json& json)
{
    T value{};
    read_named_json(json, value, "it");
    return value;
}

// Reads one field of an object that belongs to no struct.
template <class T>
T field_of(const nlohmann::json& object, const char* name, auto... limits)
{
    T value{};
    FieldReader visit(object);
    visit(name, value, limits...);
    return value;
}

// Returns a list of an object, for reading entry by entry, so that damaged entries can be skipped.
inline const nlohmann::json::array_t& list_of(const nlohmann::json& object, const char* name)
{
    const auto list = object.find(name); // not found if `object` is no object
    if (list == object.end())
        kernels::refuse_field(name, "is missing");
    if (!list->is_array())
        kernels::refuse_field(name, "is not a list");
    return list->get_ref<const nlohmann::json::array_t&>();
}

inline void require_format(const nlohmann::json& file, int known)
{
    if (field_of<int>(file, "format") != known)
        throw kernels::Error("it has a format of another gemmscope");
}

} // namespace app
