// A struct names its fields once, in a function beside it:
//
//     void fields(auto& visit, Like<Streaming> auto& streaming)
//     {
//         visit("width", streaming.width, between(1, 16));
//         visit("gbps", streaming.gbps, above_zero);
//     }
//
// This one function defines the JSON of files and of --json, the bytes between a window and its worker, and the limits
// that readers check. Limits follow the field; without any, a number must be finite and at least zero.
//
// A struct without such a function is visited in the order of its members, which the compiler counts, and its numbers
// have no limits. That is enough for the byte format, which has no names. JSON supports such a struct only if it has a
// static member is_listed, and then writes it as a list: [3, 4, 1].
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kernels {

template <class T, class Struct>
concept Like = std::same_as<std::remove_const_t<T>, Struct>;

template <class T>
struct Between {
    T least, most; // inclusive; for a text, its length in bytes
};
template <class T>
constexpr Between<T> between(T least, std::type_identity_t<T> most)
{
    return {least, most};
}
// The largest integer that JSON stores exactly; sums of a few of them fit in 64 bits.
inline constexpr uint64_t largest_count = uint64_t{1} << 53;
inline constexpr Between<uint64_t> any_count{0, largest_count};
inline constexpr struct AboveZero {
} above_zero;
inline constexpr struct AnyNumber { // may also be negative, infinite or NaN
} any_number;
inline constexpr struct MayBeMissing { // a missing field keeps its default
} may_be_missing;
inline constexpr struct UnlessEmpty { // written only if it differs from T{}; may be missing
} unless_empty;

template <class Limit, class... Limits>
inline constexpr bool is_among = (std::same_as<Limit, Limits> || ...);

// Throw Error with a message that follows a file's name: "gbps is not above zero".
[[noreturn]] void refuse_field(std::string_view name, std::string_view why);
[[noreturn]] void refuse_range(std::string_view name, std::string_view what, double least, double most);
[[noreturn]] void refuse_range(std::string_view name, std::string_view what, uint64_t least, uint64_t most);
[[noreturn]] void refuse_range(std::string_view name, std::string_view what, int64_t least, int64_t most);

template <std::integral T, class... Limits>
constexpr Between<T> range_of(Limits... limits)
{
    Between<T> range{is_among<AnyNumber, Limits...> ? std::numeric_limits<T>::min() : T{0},
                     std::numeric_limits<T>::max()};
    [[maybe_unused]] const auto narrow = [&](auto limit) {
        if constexpr (requires { limit.least; })
            range = {static_cast<T>(limit.least), static_cast<T>(limit.most)};
    };
    (narrow(limits), ...);
    return range;
}

template <std::integral T>
[[noreturn]] void refuse_whole(std::string_view name, const Between<T>& range)
{
    using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
    refuse_range(name, "is not a whole number", static_cast<Wide>(range.least), static_cast<Wide>(range.most));
}

// Throws Error if a number or text is outside its limits. Readers of lists, maps and structs call it for each element.
template <class T, class... Limits>
void check_limits(std::string_view name, const T& value, [[maybe_unused]] Limits... limits)
{
    [[maybe_unused]] constexpr bool any = is_among<AnyNumber, Limits...>;
    [[maybe_unused]] const auto refuse_outside = [&](auto size, std::string_view what, auto limit) {
        if constexpr (requires { limit.least; })
            if (!(size >= static_cast<decltype(size)>(limit.least) && size <= static_cast<decltype(size)>(limit.most)))
                refuse_range(name, what, static_cast<double>(limit.least), static_cast<double>(limit.most));
    };
    if constexpr (std::same_as<T, bool>) {
    } else if constexpr (std::integral<T>) {
        if (const Between<T> range = range_of<T>(limits...); value < range.least || value > range.most)
            refuse_whole(name, range);
    } else if constexpr (std::floating_point<T>) {
        if (!any && (!(value >= 0) || !std::isfinite(value)))
            refuse_field(name, "is not a number of at least zero");
        if (is_among<AboveZero, Limits...> && value == 0)
            refuse_field(name, "is not above zero");
        (refuse_outside(static_cast<double>(value), "is not a number", limits), ...);
    } else if constexpr (std::same_as<T, std::string>) {
        (refuse_outside(value.size(), "is not a text with a number of bytes", limits), ...);
    }
}

// An enumeration with named values: a function  std::array names_of(State)  next to it returns the names in their
// order.
template <class T>
concept NamedEnum = std::is_enum_v<T> && requires(T value)
{
    names_of(value);
};

struct IgnoreFields {
    void operator()(const char*, auto&&, auto...) const {}
};
template <class T>
concept HasFields = requires(IgnoreFields& visit, T& value)
{
    fields(visit, value);
};
template <class T>
concept IsListed = T::is_listed;

// Converts to any type, to count how many initializers a struct accepts. It does not convert to a std::optional that
// can be constructed from its value, because that constructor already accepts AnyField.
struct AnyField;
template <class T>
inline constexpr bool takes_any_field = false;
template <class T>
inline constexpr bool takes_any_field<std::optional<T>> = std::is_constructible_v<T, AnyField>;
struct AnyField {
    std::size_t place;
    template <class T>
    requires(!takes_any_field<T>) operator T() const; // NOLINT(google-explicit-constructor)
};

template <class T>
inline constexpr bool is_std_array = false;
template <class T, std::size_t size>
inline constexpr bool is_std_array<std::array<T, size>> = true;
template <class T>
concept PlainStruct = std::is_aggregate_v<T> && !std::is_array_v<T> && !is_std_array<T>;

template <class T, std::size_t... place>
constexpr bool is_made_of(std::index_sequence<place...>)
{
    return requires
    {
        T{AnyField{place}...};
    };
}

// Returns the largest number of initializers that T accepts.
template <PlainStruct T, std::size_t most = 20>
constexpr std::size_t member_count()
{
    if constexpr (is_made_of<T>(std::make_index_sequence<most>()))
        return most;
    else
        return member_count<T, most - 1>();
}

// Returns the members of a struct as references. C++20 can bind them only if their number is known.
template <class T>
auto members(T& value)
{
    constexpr std::size_t count = member_count<std::remove_const_t<T>>();
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
    } else {
        static_assert(count >= 15 && count <= 17, "give the struct a function fields()");
        if constexpr (count == 15) {
            auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value;
            return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
        } else if constexpr (count == 17) {
            auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = value;
            return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
        } else {
            auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value;
            return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
        }
    }
}

} // namespace kernels
