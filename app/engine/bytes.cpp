#include "app/engine/bytes.h"

#include "app/engine/cbor.h"
#include "app/engine/launch_file.h"

#include "base/fields.h"
#include "recording/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <type_traits>
#include <utility>

namespace app {

namespace {

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

// Returns a literal equal to `text`, because the names in a counter check are string literals. The table holds all of
// them.
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
void put(CborWriter& to, const T& value);

// Counts the fields that the struct's fields() names.
template <class T>
std::size_t count_of_fields(const T& value)
{
    std::size_t count = 0;
    const auto visit = [&](const char*, const auto&, auto...) { ++count; };
    fields(visit, value);
    return count;
}

template <class T>
void put(CborWriter& to, const T& value)
{
    if constexpr (std::is_same_v<T, RecordingPtr>) {
        value == nullptr ? to.null() : to.bytes(recording::to_file_bytes(*value));
    } else if constexpr (std::is_same_v<T, recording::RunProfilePtr>) {
        value == nullptr ? to.null() : put(to, *value);
    } else if constexpr (std::is_same_v<T, Recorded>) {
        put(to, value.recording); // the reader derives the other members again
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
    } else if constexpr (kernels::HasFields<const T>) {
        to.list(count_of_fields(value));
        const auto visit = [&](const char*, const auto& field, auto...) { put(to, field); };
        fields(visit, value);
    } else if constexpr (kernels::PlainStruct<T>) {
        to.list(kernels::member_count<T>());
        std::apply([&](const auto&... member) { (put(to, member), ...); }, kernels::members(value));
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
void get(CborReader& from, T& value, const char* name, auto... limits);

template <class T>
T got(CborReader& from, const char* name = "a part", auto... limits)
{
    T value{};
    get(from, value, name, limits...);
    return value;
}

template <class T, std::size_t... i>
void get_variant(CborReader& from, T& value, std::index_sequence<i...>)
{
    from.list_of(2);
    const auto index = from.whole<std::size_t>();
    const bool known =
        ((index == i && (get(from, value.template emplace<i>(), "a part", kernels::any_number), true)) || ...);
    if (!known)
        throw kernels::Error("there is no such task");
}

template <class T>
void get_map(CborReader& from, T& value, const char* name, auto... limits)
{
    value.clear();
    for (std::size_t left = from.list(); left > 0; left -= 2) {
        if (left == 1)
            throw kernels::Error("a part has another form");
        auto key = got<typename T::key_type>(from);
        value.insert_or_assign(std::move(key), got<typename T::mapped_type>(from, name, limits...));
    }
}

template <class T>
void get_fields(CborReader& from, T& value)
{
    const std::size_t count = from.list();
    std::size_t visited = 0;
    const auto visit = [&](const char* name, auto&& field, auto... limits) {
        if (visited++ < count)
            get(from, field, name, limits...);
    };
    fields(visit, value);
    if (visited != count)
        throw kernels::Error("a part has another form");
}

// Number of values of an enumeration in messages. It is checked, because tables are indexed by these values. Zero for
// an enumeration that is not in messages.
template <class T>
inline constexpr int64_t value_count = 0;
template <auto last>
inline constexpr int64_t up_to = static_cast<int64_t>(last) + 1;

template <>
inline constexpr int64_t value_count<recording::Op> = recording::op_count;
template <>
inline constexpr int64_t value_count<recording::Missing> = up_to<recording::Missing::not_kept>;
template <>
inline constexpr int64_t value_count<recording::How> = up_to<recording::How::counted>;
template <>
inline constexpr int64_t value_count<recording::AtomicRule> = up_to<recording::AtomicRule::not_measured>;
template <>
inline constexpr int64_t value_count<recording::Inputs> = up_to<recording::Inputs::small>;
template <>
inline constexpr int64_t value_count<kernels::Agreement> = up_to<kernels::Agreement::differs>;
template <>
inline constexpr int64_t value_count<kernels::ProbeKind> = up_to<kernels::ProbeKind::place>;
template <>
inline constexpr int64_t value_count<kernels::Candidate::State> = up_to<kernels::Candidate::State::failed>;
template <>
inline constexpr int64_t value_count<Failure::Kind> = up_to<Failure::Kind::error>;

template <class T>
T got_enum(CborReader& from)
{
    if constexpr (std::is_same_v<std::underlying_type_t<T>, bool>)
        return static_cast<T>(from.flag());
    static_assert(value_count<T> > 0 || std::is_same_v<std::underlying_type_t<T>, bool>, "say how many values it has");
    const auto value = from.whole<int64_t>();
    if (value < 0 || value >= value_count<T>)
        throw kernels::Error("a part has a value that is not known");
    return static_cast<T>(value);
}

// Reads one number or text and checks it against its limits.
template <class T>
T got_leaf(CborReader& from)
{
    if constexpr (std::is_same_v<T, std::string>)
        return from.text();
    else if constexpr (std::is_same_v<T, std::string_view>)
        return known_name(from.text());
    else if constexpr (std::is_same_v<T, bool>)
        return from.flag();
    else if constexpr (std::is_enum_v<T>)
        return got_enum<T>(from);
    else if constexpr (std::is_same_v<T, float>)
        return from.single_number();
    else if constexpr (std::is_same_v<T, double>)
        return from.number();
    else
        return from.whole<T>();
}

template <class T>
inline constexpr bool is_leaf =
    std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_convertible_v<T, std::string_view>;

template <class T>
void get(CborReader& from, T& value, const char* name, auto... limits)
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
    } else if constexpr (std::is_same_v<T, std::filesystem::path>) {
        value = from.text();
    } else if constexpr (is_leaf<T>) {
        value = got_leaf<T>(from);
        kernels::check_limits(name, value, limits...);
    } else if constexpr (is_optional<T>) {
        value.reset();
        const std::size_t count = from.list();
        if (count > 1)
            throw kernels::Error("a part has another form");
        if (count == 1)
            value = got<typename T::value_type>(from, name, limits...);
    } else if constexpr (is_variant<T>) {
        get_variant(from, value, std::make_index_sequence<std::variant_size_v<T>>());
    } else if constexpr (kernels::HasFields<T>) {
        get_fields(from, value);
    } else if constexpr (kernels::PlainStruct<T>) {
        from.list_of(kernels::member_count<T>());
        const auto one = [&](auto& member) {
            if constexpr (sizeof...(limits) == 0)
                get(from, member, name, kernels::any_number);
            else
                get(from, member, name, limits...);
        };
        std::apply([&](auto&... member) { (one(member), ...); }, kernels::members(value));
    } else if constexpr (is_map<T>) {
        get_map(from, value, name, limits...);
    } else if constexpr (kernels::is_std_array<T>) {
        from.list_of(value.size());
        for (auto& one : value)
            get(from, one, name, limits...);
    } else {
        value.clear(); // removes a task's default values
        // Reserves no memory, because the announced values may not follow.
        for (std::size_t left = from.list(); left > 0; --left)
            value.push_back(got<typename T::value_type>(from, name, limits...));
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
