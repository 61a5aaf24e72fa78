#include "app/tasks/bytes.h"

#include "app/tasks/cbor.h"
#include "app/tasks/launch_file.h"

#include "recording/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
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

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t size>
inline constexpr bool is_array<std::array<T, size>> = true;
template <class T>
inline constexpr bool is_map = false;
template <class... T>
inline constexpr bool is_map<std::map<T...>> = true;
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
void put(CborWriter& to, const T& value)
{
    if constexpr (std::is_same_v<T, RecordingPtr>) {
        value == nullptr ? to.null() : to.bytes(recording::to_file_bytes(*value));
    } else if constexpr (std::is_same_v<T, recording::RunProfilePtr>) {
        value == nullptr ? to.null() : put(to, *value);
    } else if constexpr (std::is_same_v<T, Recorded>) {
        put(to, value.recording); // the rest is derived again
    } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
        to.text(value.string());
    } else if constexpr (std::is_convertible_v<T, std::string_view>) {
        to.text(value);
    } else if constexpr (std::is_same_v<T, bool>) {
        to.flag(value);
    } else if constexpr (std::is_enum_v<T>) {
        put(to, static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
        to.number(value);
    } else if constexpr (std::is_integral_v<T>) {
        to.whole(static_cast<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(value));
    } else if constexpr (is_optional<T>) {
        to.list(value ? 1 : 0);
        if (value)
            put(to, *value);
    } else if constexpr (is_variant<T>) {
        to.list(2);
        to.whole(uint64_t{value.index()});
        std::visit([&](const auto& one) { put(to, one); }, value);
    } else if constexpr (Struct<T>) {
        to.list(count_of_fields<T>());
        std::apply([&](const auto&... field) { (put(to, field), ...); }, tied(value));
    } else if constexpr (is_map<T>) {
        to.list(2 * value.size());
        for (const auto& [key, one] : value)
            put(to, key), put(to, one);
    } else {
        to.list(value.size()); // an array or a vector
        for (const auto& one : value)
            put(to, one);
    }
}

template <class T>
void get(CborReader& from, T& value);

template <class T>
T got(CborReader& from)
{
    T value{};
    get(from, value);
    return value;
}

template <class T, std::size_t... i>
void get_variant(CborReader& from, T& value, std::index_sequence<i...>)
{
    from.list_of(2);
    const auto index = from.whole<std::size_t>();
    const bool known = ((index == i && (get(from, value.template emplace<i>()), true)) || ...);
    if (!known)
        throw kernels::Error("there is no such task");
}

template <class T>
void get_map(CborReader& from, T& value)
{
    value.clear();
    for (std::size_t left = from.list(); left > 0; left -= 2) {
        if (left == 1)
            throw kernels::Error("a part has another form");
        auto key = got<typename T::key_type>(from);
        value.insert_or_assign(std::move(key), got<typename T::mapped_type>(from));
    }
}

template <class T>
void get(CborReader& from, T& value)
{
    if constexpr (std::is_same_v<T, RecordingPtr>) {
        if (!from.null())
            value = std::make_shared<const recording::Recording>(recording::from_file_bytes(from.bytes()));
    } else if constexpr (std::is_same_v<T, recording::RunProfilePtr>) {
        if (from.null())
            return;
        auto run = got<recording::RunProfile>(from);
        check(run);
        value = std::make_shared<const recording::RunProfile>(std::move(run));
    } else if constexpr (std::is_same_v<T, Recorded>) {
        const auto recording = got<RecordingPtr>(from);
        if (recording == nullptr)
            throw kernels::Error("a recording is missing");
        value = derive(*recording);
    } else if constexpr (std::is_same_v<T, std::filesystem::path> || std::is_same_v<T, std::string>) {
        value = from.text();
    } else if constexpr (std::is_same_v<T, std::string_view>) {
        value = known_name(from.text());
    } else if constexpr (std::is_same_v<T, bool>) {
        value = from.flag();
    } else if constexpr (std::is_enum_v<T>) {
        value = static_cast<T>(from.whole<std::underlying_type_t<T>>());
    } else if constexpr (std::is_same_v<T, float>) {
        value = from.single_number();
    } else if constexpr (std::is_same_v<T, double>) {
        value = from.number();
    } else if constexpr (std::is_integral_v<T>) {
        value = from.whole<T>();
    } else if constexpr (is_optional<T>) {
        value.reset();
        const std::size_t count = from.list();
        if (count > 1)
            throw kernels::Error("a part has another form");
        if (count == 1)
            value = got<typename T::value_type>(from);
    } else if constexpr (is_variant<T>) {
        get_variant(from, value, std::make_index_sequence<std::variant_size_v<T>>());
    } else if constexpr (Struct<T>) {
        from.list_of(count_of_fields<T>());
        std::apply([&](auto&... field) { (get(from, field), ...); }, tied(value));
    } else if constexpr (is_map<T>) {
        get_map(from, value);
    } else if constexpr (is_array<T>) {
        from.list_of(value.size());
        for (auto& one : value)
            get(from, one);
    } else {
        value.clear(); // of what a task has by default
        for (std::size_t left = from.list(); left > 0; --left)
            value.push_back(got<typename T::value_type>(from)); // not reserved: what is announced may not come
    }
}

} // namespace

template <class T>
std::vector<std::byte> to_bytes(const T& value)
{
    CborWriter to;
    to.list(2);
    to.whole(int64_t{bytes_version});
    put(to, value);
    return to.take();
}

template <class T>
T from_bytes(std::span<const std::byte> bytes)
try {
    CborReader from(bytes);
    from.list_of(2);
    if (from.whole<int>() != bytes_version)
        throw kernels::Error("it is of another version");
    auto value = got<T>(from);
    from.end();
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
