// JSON of a struct whose fields are named once, for both directions:
//
//     void each_field(auto& form, Is<recording::DependentChain> auto& chain)
//     {
//         form("instructions", chain.instructions, 1, 1000); // the least and the most
//         form("ns", chain.ns, above_zero);
//     }
//
// `form` writes each field; or it reads the field, as checked_json.h does, into a struct that is not const. An optional one may be
// missing or null.
#pragma once

#include "app/catalogue/checked_json.h"

#include "recording/recording.h"

#include <nlohmann/json.hpp>

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace app {

template <class T, class Struct>
concept Is = std::same_as<std::remove_const_t<T>, Struct>;

inline constexpr struct AboveZero {
} above_zero; // else a figure may be zero

using NamedNumbers = std::vector<recording::Parameter>; // {"BM": 64, "BN": 128}

template <class T>
nlohmann::json written(const T& value);
template <class T>
T read_from(const nlohmann::json& json); // throws kernels::Error

class FieldWriter {
public:
    explicit FieldWriter(nlohmann::json& to) : to_(to) {}

    void operator()(const char* name, const auto& value, auto...) { to_[name] = written(value); }
    void if_there(const char* name, const auto& value) { to_[name] = written(value); }

private:
    nlohmann::json& to_;
};

class FieldReader {
public:
    explicit FieldReader(const nlohmann::json& from) : from_(from) {}

    template <class T>
    void operator()(const char* name, T& value, [[maybe_unused]] auto... check)
    {
        if constexpr (std::same_as<T, std::string>) {
            value = from_.text(name);
        } else if constexpr (std::same_as<T, bool>) {
            value = from_.flag(name);
        } else if constexpr (std::integral<T>) {
            value = from_.whole<T>(name, static_cast<T>(check)...);
        } else if constexpr (std::same_as<T, double>) {
            value = sizeof...(check) > 0 ? from_.positive(name) : from_.figure(name);
        } else if constexpr (std::same_as<T, NamedNumbers>) {
            for (const auto& [key, number] : from_.object(name))
                value.push_back({key, static_cast<int>(Fields::whole_of(number, key.c_str(), 0, 0x7fffffff))});
        } else if constexpr (requires { value.push_back({}); }) {
            for (const nlohmann::json& one : from_.list(name))
                value.push_back(element<typename T::value_type>(one, name, check...));
        } else if constexpr (requires { value.emplace(); }) {
            if (from_.has(name))
                (*this)(name, value.emplace(), check...);
        } else {
            value = read_from<T>(from_.at(name));
        }
    }

    // Else it stays as it is, as of files that were made before it was written.
    void if_there(const char* name, auto& value)
    {
        if (from_.has(name))
            (*this)(name, value);
    }

private:
    template <class T>
    static T element(const nlohmann::json& json, [[maybe_unused]] const char* name, [[maybe_unused]] auto... check)
    {
        if constexpr (std::integral<T>)
            return static_cast<T>(Fields::whole_of(json, name, static_cast<uint64_t>(check)...));
        else
            return read_from<T>(json);
    }

    Fields from_;
};

template <class T>
nlohmann::json written(const T& value)
{
    if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
        return value;
    } else if constexpr (requires { value.has_value(); }) {
        return value ? written(*value) : nlohmann::json();
    } else if constexpr (std::same_as<T, NamedNumbers>) {
        nlohmann::json json = nlohmann::json::object();
        for (const recording::Parameter& one : value)
            json[one.name] = one.value;
        return json;
    } else if constexpr (requires { value.size(); }) {
        nlohmann::json json = nlohmann::json::array();
        for (const auto& one : value)
            json.push_back(written(one));
        return json;
    } else {
        nlohmann::json json = nlohmann::json::object();
        FieldWriter form(json);
        each_field(form, value);
        return json;
    }
}

template <class T>
T read_from(const nlohmann::json& json)
{
    T value{};
    FieldReader form(json);
    each_field(form, value);
    return value;
}

} // namespace app
