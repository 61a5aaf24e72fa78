#include "app/tasks/bytes.h"

#include "app/tasks/launch_file.h"

#include "recording/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

namespace app {

// A field of whatever type, to find out how many of them initialise a struct. An optional takes what its value can be made of
// by itself. It is never made, so its operator has no body: out of the unnamed namespace, where Clang asks for one.
struct AnyField;
template <class T>
inline constexpr bool takes_any = false;
template <class T>
inline constexpr bool takes_any<std::optional<T>> = std::is_constructible_v<T, AnyField>;

struct AnyField {
    std::size_t place;
    template <class T>
    requires(!takes_any<T>) operator T() const; // NOLINT(google-explicit-constructor)
};

namespace {

using Json = nlohmann::json;

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t size>
inline constexpr bool is_array<std::array<T, size>> = true;
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_variant = false;
template <class... T>
inline constexpr bool is_variant<std::variant<T...>> = true;

template <class T>
concept Struct = std::is_aggregate_v<T> && !is_array<T>;

template <class T, std::size_t... place>
constexpr bool has_fields(std::index_sequence<place...>)
{
    return requires
    {
        T{AnyField{place}...};
    };
}

// How many fields a struct has: as many as can be initialised at the most.
template <Struct T, std::size_t most = 20>
constexpr std::size_t count_of_fields()
{
    if constexpr (has_fields<T>(std::make_index_sequence<most>()))
        return most;
    else
        return count_of_fields<T, most - 1>();
}

// The fields of a struct, as references.
template <class T>
auto tied(T& value)
{
    constexpr std::size_t count = count_of_fields<std::remove_const_t<T>>();
    if constexpr (count == 0) {
        return std::tie();
    } else if constexpr (count == 1) {
        auto& [a] = value;
        return std::tie(a);
    } else if constexpr (count == 2) {
        auto& [a, b] = value;
        return std::tie(a, b);
    } else if constexpr (count == 3) {
        auto& [a, b, c] = value;
        return std::tie(a, b, c);
    } else if constexpr (count == 4) {
        auto& [a, b, c, d] = value;
        return std::tie(a, b, c, d);
    } else if constexpr (count == 5) {
        auto& [a, b, c, d, e] = value;
        return std::tie(a, b, c, d, e);
    } else if constexpr (count == 6) {
        auto& [a, b, c, d, e, f] = value;
        return std::tie(a, b, c, d, e, f);
    } else if constexpr (count == 7) {
        auto& [a, b, c, d, e, f, g] = value;
        return std::tie(a, b, c, d, e, f, g);
    } else if constexpr (count == 8) {
        auto& [a, b, c, d, e, f, g, h] = value;
        return std::tie(a, b, c, d, e, f, g, h);
    } else if constexpr (count == 9) {
        auto& [a, b, c, d, e, f, g, h, i] = value;
        return std::tie(a, b, c, d, e, f, g, h, i);
    } else if constexpr (count == 10) {
        auto& [a, b, c, d, e, f, g, h, i, j] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j);
    } else if constexpr (count == 11) {
        auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k);
    } else if constexpr (count == 12) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
    } else if constexpr (count == 13) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
    } else if constexpr (count == 15) {
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
    } else {
        static_assert(count == 16, "a struct of another number of fields needs another case here");
        auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value;
        return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
    }
}

// The names in a counter's check are literals; these are all of them.
std::string_view known_name(const std::string& text)
{
    constexpr std::array<std::string_view, 9> names = {"shared_load",  "shared_store", "global_load",
                                                       "global_store", "instructions", "wavefronts",
                                                       "conflicts",    "requests",     "sectors"};
    const auto found = std::ranges::find(names, text);
    if (found == names.end())
        throw kernels::Error(fmt::format("no figure is called {}", text));
    return *found;
}

template <class T>
Json put(const T& value)
{
    if constexpr (std::is_same_v<T, RecordingPtr>) {
        if (value == nullptr)
            return nullptr;
        const std::vector<std::byte> bytes = recording::to_file_bytes(*value);
        const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
        return Json::binary(std::vector<uint8_t>(data, data + bytes.size()));
    } else if constexpr (std::is_same_v<T, recording::RunProfilePtr>) {
        return value == nullptr ? Json(nullptr) : Json::array({put(*value)});
    } else if constexpr (std::is_same_v<T, Recorded>) {
        return put(value.recording); // the rest is derived again
    } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
        return value.string();
    } else if constexpr (std::is_enum_v<T>) {
        return static_cast<int>(value);
    } else if constexpr (is_optional<T>) {
        return value ? Json::array({put(*value)}) : Json(nullptr);
    } else if constexpr (is_vector<T>) {
        Json list = Json::array();
        for (const auto& one : value)
            list.push_back(put(one));
        return list;
    } else if constexpr (is_variant<T>) {
        return Json::array({value.index(), std::visit([](const auto& one) { return put(one); }, value)});
    } else if constexpr (Struct<T>) {
        Json list = Json::array();
        std::apply([&](const auto&... field) { (list.push_back(put(field)), ...); }, tied(value));
        return list;
    } else {
        return value;
    }
}

template <class T>
void get(const Json& json, T& value);

template <class T, std::size_t... i>
void get_variant(const Json& json, T& value, std::index_sequence<i...>)
{
    const auto index = json.at(0).get<std::size_t>();
    const bool known = ((index == i && (get(json.at(1), value.template emplace<i>()), true)) || ...);
    if (!known)
        throw kernels::Error("there is no such task");
}

template <class T>
void get(const Json& json, T& value)
{
    if constexpr (std::is_same_v<T, RecordingPtr>) {
        if (json.is_null())
            return;
        const auto& bytes = json.get_binary();
        value = std::make_shared<const recording::Recording>(
            recording::from_file_bytes(std::as_bytes(std::span(bytes.data(), bytes.size()))));
    } else if constexpr (std::is_same_v<T, recording::RunProfilePtr>) {
        recording::RunProfile run;
        if (json.is_null())
            return;
        get(json.at(0), run);
        check(run);
        value = std::make_shared<const recording::RunProfile>(std::move(run));
    } else if constexpr (std::is_same_v<T, Recorded>) {
        RecordingPtr recording;
        get(json, recording);
        if (recording == nullptr)
            throw kernels::Error("a recording is missing");
        value = derive(*recording);
    } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
        value = json.get<std::string>();
    } else if constexpr (std::is_same_v<T, std::string_view>) {
        value = known_name(json.get<std::string>());
    } else if constexpr (std::is_enum_v<T>) {
        value = static_cast<T>(json.get<int>());
    } else if constexpr (is_optional<T>) {
        if (!json.is_null()) {
            typename T::value_type one{};
            get(json.at(0), one);
            value = std::move(one);
        }
    } else if constexpr (is_vector<T>) {
        value.clear(); // of what a task has by default
        for (const Json& one : json)
            if constexpr (std::is_arithmetic_v<typename T::value_type>)
                value.push_back(one.get<typename T::value_type>());
            else
                get(one, value.emplace_back());
    } else if constexpr (is_variant<T>) {
        get_variant(json, value, std::make_index_sequence<std::variant_size_v<T>>());
    } else if constexpr (Struct<T>) {
        if (json.size() != count_of_fields<T>())
            throw kernels::Error("a part has another form");
        std::size_t next = 0;
        std::apply([&](auto&... field) { (get(json.at(next++), field), ...); }, tied(value));
    } else {
        value = json.get<T>();
    }
}

} // namespace

template <class T>
std::vector<std::byte> to_bytes(const T& value)
{
    const std::vector<uint8_t> bytes = Json::to_cbor(Json::array({bytes_version, put(value)}));
    const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
    return {data, data + bytes.size()};
}

template <class T>
T from_bytes(std::span<const std::byte> bytes)
try {
    const Json json = Json::from_cbor(bytes.begin(), bytes.end());
    if (json.at(0) != bytes_version)
        throw kernels::Error("it is of another version");
    T value;
    get(json.at(1), value);
    return value;
} catch (const std::exception& error) {
    throw kernels::Error(fmt::format("What another gemmscope process sent cannot be understood ({}); both must be of "
                                     "the same version.",
                                     error.what()));
}

template std::vector<std::byte> to_bytes(const Task&);
template std::vector<std::byte> to_bytes(const Result&);
template std::vector<std::byte> to_bytes(const Progress&);
template std::vector<std::byte> to_bytes(const Failure&);
template std::vector<std::byte> to_bytes(const MachineFacts&);
template std::vector<std::byte> to_bytes(const LaunchFileResult&);
template Task from_bytes<Task>(std::span<const std::byte>);
template Result from_bytes<Result>(std::span<const std::byte>);
template Progress from_bytes<Progress>(std::span<const std::byte>);
template Failure from_bytes<Failure>(std::span<const std::byte>);
template MachineFacts from_bytes<MachineFacts>(std::span<const std::byte>);
template LaunchFileResult from_bytes<LaunchFileResult>(std::span<const std::byte>);

} // namespace app
