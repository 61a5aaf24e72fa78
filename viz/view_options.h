// The options of a view are one plain value that names its fields (kernels/base/fields.h). Its text form is short:
//
//     chart=sizes list=yes
//
// Fields with default values are omitted. The last field can be marked `to_the_end`, and its text may then contain
// anything. Other text is quoted if it contains blanks or semicolons. Older files and lessons have short forms that can
// be read: an enum's word without the field's name ("sizes"), a bool's name for yes ("list"), and semicolons between
// fields.
#pragma once

#include "base/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace viz {

struct OneOf { // the words of an enum, in the order of its values
    std::span<const std::string_view> words;
};
inline constexpr struct ToTheEnd { // marks a field whose value is the rest of the text
} to_the_end;

namespace options_text {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
const T& unwrapped(const T&);
template <class T>
const T& unwrapped(const std::optional<T>&);
template <class... Limits>
inline constexpr bool takes_the_end = kernels::is_among<ToTheEnd, Limits...>;

constexpr std::string_view separators = " ;";

template <class... Limits>
constexpr std::span<const std::string_view> words_of(const Limits&... limits)
{
    std::span<const std::string_view> words;
    [[maybe_unused]] const auto take = [&](const auto& limit) {
        if constexpr (requires { limit.words; })
            words = limit.words;
    };
    (take(limits), ...);
    return words;
}

// Visits the members of a small struct such as a cell, with their limits if it declares them.
template <class T, class Visit>
void each_member(T& value, Visit visit)
{
    if constexpr (kernels::HasFields<T>)
        fields(visit, value);
    else
        std::apply([&](auto&... member) { (visit("", member), ...); }, kernels::members(value));
}

template <class T, class... Limits>
std::string write(const T& value, const Limits&... limits)
{
    if constexpr (is_optional<T>) {
        return value ? write(*value, limits...) : std::string();
    } else if constexpr (std::same_as<T, bool>) {
        return value ? "yes" : "no";
    } else if constexpr (std::is_enum_v<T>) {
        return std::string(words_of(limits...)[static_cast<std::size_t>(value)]);
    } else if constexpr (std::same_as<T, std::string>) {
        const bool quoted = !takes_the_end<Limits...> && value.find_first_of(separators) != std::string::npos;
        return quoted ? '"' + value + '"' : value;
    } else if constexpr (std::integral<T>) {
        return fmt::format("{}", value);
    } else { // "5,76"
        std::string text;
        each_member(value, [&](const char*, const auto& member, const auto&... of_member) {
            text += (text.empty() ? "" : ",") + write(member, of_member...);
        });
        return text;
    }
}

// Returns nothing if the text is not such a value, or if the value is outside its limits.
template <class T, class... Limits>
std::optional<T> read(std::string_view text, const Limits&... limits)
{
    if constexpr (is_optional<T>) {
        const auto value = read<typename T::value_type>(text, limits...);
        return value ? std::optional<T>(value) : std::nullopt;
    } else if constexpr (std::same_as<T, bool>) {
        return text == "yes" ? std::optional(true) : text == "no" ? std::optional(false) : std::nullopt;
    } else if constexpr (std::is_enum_v<T>) {
        const auto words = words_of(limits...);
        const auto found = std::ranges::find(words, text);
        return found == words.end() ? std::nullopt : std::optional(static_cast<T>(found - words.begin()));
    } else if constexpr (std::same_as<T, std::string>) {
        return std::string(text);
    } else if constexpr (std::integral<T>) {
        T value{};
        const char* const end = text.data() + text.size();
        const auto [at, failed] = std::from_chars(text.data(), end, value);
        const kernels::Between<T> range = kernels::range_of<T>(limits...);
        const bool holds = failed == std::errc() && at == end && value >= range.least && value <= range.most;
        return holds ? std::optional(value) : std::nullopt;
    } else {
        T value{};
        bool whole = true;
        each_member(value, [&](const char*, auto& member, const auto&... of_member) {
            const std::size_t end = std::min(text.find(','), text.size());
            const auto part = read<std::remove_cvref_t<decltype(member)>>(text.substr(0, end), of_member...);
            whole = whole && part;
            member = part.value_or(member);
            text.remove_prefix(std::min(end + 1, text.size()));
        });
        return whole && text.empty() ? std::optional(value) : std::nullopt;
    }
}

// Removes the next word from the text and returns it without quotes.
inline std::string_view next_word(std::string_view& text)
{
    const bool quoted = text.starts_with('"') && text.find('"', 1) != std::string_view::npos;
    const std::size_t begin = quoted ? 1 : 0, end = quoted ? text.find('"', 1) : text.find_first_of(separators);
    const std::string_view word = text.substr(begin, std::min(end, text.size()) - begin);
    text.remove_prefix(std::min(std::min(end, text.size()) + begin, text.size()));
    return word;
}

// Reads NAME=VALUE or a short form from the beginning of the text and sets the field.
template <class Options>
void take_next(Options& options, std::string_view& text)
{
    const std::size_t equals = text.find('=');
    const bool named = equals < text.find_first_of(separators);
    const std::string_view name = named ? text.substr(0, equals) : std::string_view();
    if (named)
        text.remove_prefix(equals + 1);
    const std::string_view all = text, word = next_word(text);
    const auto take = [&](std::string_view field, auto& value, const auto&... limits) {
        using Value = std::remove_cvref_t<decltype(value)>;
        using Plain = std::remove_cvref_t<decltype(unwrapped(value))>;
        constexpr bool to_end = takes_the_end<std::remove_cvref_t<decltype(limits)>...>;
        std::optional<Value> now;
        if (named && field == name) {
            now = read<Value>(to_end ? all : word, limits...);
            if (to_end)
                text = {};
        } else if (!named) {
            if constexpr (std::is_enum_v<Plain>)
                now = read<Value>(word, limits...);
            else if constexpr (std::same_as<Plain, bool>)
                now = field == word ? std::optional<Value>(true) : std::nullopt;
        }
        if (now)
            value = *now;
    };
    fields(take, options);
}

} // namespace options_text

template <class Options>
std::string text_of_options(const Options& options)
{
    std::vector<std::string> usual;
    const Options defaults{};
    const auto keep = [&](std::string_view, const auto& value, const auto&... limits) {
        usual.push_back(options_text::write(value, limits...));
    };
    fields(keep, defaults);
    std::string text;
    std::size_t place = 0;
    const auto add = [&](std::string_view name, const auto& value, const auto&... limits) {
        if (const std::string now = options_text::write(value, limits...); now != usual[place++])
            text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, now);
    };
    fields(add, options);
    return text;
}

// Ignores unknown fields and values outside their limits.
template <class Options>
Options options_of(std::string_view text)
{
    Options options{};
    while (!text.empty())
        if (options_text::separators.find(text.front()) != std::string_view::npos)
            text.remove_prefix(1);
        else
            options_text::take_next(options, text);
    return options;
}

} // namespace viz
