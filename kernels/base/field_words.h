// Writes a struct as one line of text and reads it back, using the struct's fields() (fields.h):
//
//     stage=vectorized compare=swizzled view=banks at="As.store(k, row" lane=5 BK=16
//
// A word is NAME, NAME=VALUE or NAME="VALUE WITH BLANKS"; within quotation marks \" and \\ stand for " and \. A field
// that has its default value is omitted. A bool is written as its name alone, or as NAME=no if its default is true.
// Commas separate the parts of a value.
#pragma once

#include "base/fields.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kernels {

struct Word {
    std::string name, value;
    friend bool operator==(const Word&, const Word&) = default;
};

// Splits a line into words. Throws Error if a quotation mark is not closed.
std::vector<Word> words_of(std::string_view text);
// Writes the line that words_of() reads.
std::string text_of(std::span<const Word> words);
// Splits "a,b" at the commas; an empty value has no parts.
std::vector<std::string> parts_of(std::string_view value);

// Options that fields() may give a field, in addition to the limits of fields.h.
inline constexpr struct AlwaysWritten { // written even if it has its default value
} always_written;
// A list of name and value pairs. Each pair is a word of its own, BK=16, or field=name:value if the name begins with a
// small letter or the value is empty.
inline constexpr struct ByOwnName {
} by_own_name;
template <std::size_t count>
struct OneOf { // a text must be one of these, or empty
    std::array<std::string_view, count> valid;
};
template <class... Text>
constexpr OneOf<sizeof...(Text)> one_of(Text... valid)
{
    return {{std::string_view(valid)...}};
}

// Throw Error: `"lane=x" needs a whole number.`
[[noreturn]] void refuse_word(const Word& word, std::string_view needs);
[[noreturn]] void refuse_word(const Word& word, std::span<const std::string_view> valid);
[[noreturn]] void refuse_unknown_word(std::string_view what, std::string_view word, std::string_view valid);
std::pair<std::string, std::string> named_value(const Word& word); // splits "second=BK:16"

using NamedTexts = std::vector<std::pair<std::string, std::string>>;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_pair = false;
template <class A, class B>
inline constexpr bool is_pair<std::pair<A, B>> = true;

template <class T>
std::string value_text(const T& value)
{
    if constexpr (std::same_as<T, std::filesystem::path>) {
        return value.string();
    } else if constexpr (std::same_as<T, std::string>) {
        return value;
    } else if constexpr (NamedEnum<T>) {
        return std::string(names_of(value).at(static_cast<std::size_t>(value)));
    } else if constexpr (std::is_arithmetic_v<T>) {
        std::array<char, 64> text{};
        const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
        return {text.data(), end};
    } else if constexpr (is_pair<T>) {
        return value_text(value.first) + "," + value_text(value.second);
    } else if constexpr (requires { T::is_listed; }) {
        std::string text;
        const auto add = [&](const auto& part) { text += (text.empty() ? "" : ",") + value_text(part); };
        std::apply([&](const auto&... part) { (add(part), ...); }, members(value));
        return text;
    } else {
        std::string text;
        for (const std::string& part : value)
            text += (text.empty() ? "" : ",") + part;
        return text;
    }
}

template <class T>
requires std::is_arithmetic_v<T> T read_number(const Word& word, std::string_view text, auto... limits)
{
    T value{};
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size())
        refuse_word(word, std::integral<T> ? "a whole number" : "a number");
    check_limits(word.name, value, limits...);
    return value;
}

// Reads numbers separated by commas. Numbers that are missing stay unchanged, unless `all` requires every number.
template <class... Part>
void read_numbers(const Word& word, const std::tuple<Part&...>& parts, bool all)
{
    const std::vector<std::string> texts = parts_of(word.value);
    if (texts.empty() || texts.size() > sizeof...(Part) || (all && texts.size() < sizeof...(Part)))
        refuse_word(word, std::to_string(sizeof...(Part)) + " whole numbers between commas");
    std::size_t next = 0;
    const auto read = [&](auto& part) {
        if (next < texts.size())
            part = read_number<std::remove_reference_t<decltype(part)>>(word, texts[next]);
        ++next;
    };
    std::apply([&](auto&... part) { (read(part), ...); }, parts);
}

template <class T>
void read_word(const Word& word, T& value, auto... limits)
{
    if constexpr (std::same_as<T, bool>) {
        value = word.value != "no";
    } else if constexpr (is_optional<T>) {
        read_word(word, value.emplace(), limits...);
    } else if constexpr (NamedEnum<T>) {
        const auto names = names_of(value);
        const auto found = std::ranges::find(names, word.value);
        if (found == names.end())
            refuse_word(word, names);
        value = static_cast<T>(found - names.begin());
    } else if constexpr (std::is_arithmetic_v<T>) {
        value = read_number<T>(word, word.value, limits...);
    } else if constexpr (is_pair<T>) {
        read_numbers(word, std::tie(value.first, value.second), true);
    } else if constexpr (requires { T::is_listed; }) {
        read_numbers(word, members(value), false);
    } else if constexpr (std::same_as<T, NamedTexts>) {
        value.push_back(named_value(word));
    } else if constexpr (std::same_as<T, std::vector<std::string>>) {
        value = parts_of(word.value);
    } else {
        [[maybe_unused]] const auto check = [&](auto limit) {
            if constexpr (requires { limit.valid; })
                if (!word.value.empty() && std::ranges::find(limit.valid, word.value) == limit.valid.end())
                    refuse_word(word, limit.valid);
        };
        (check(limits), ...);
        value = word.value;
    }
}

// Collects the words of each field; a field without a value has none.
class WordWriter {
public:
    struct Field {
        std::vector<Word> words;
        bool always = false;
    };

    template <class T, class... Limits>
    void operator()(const char* name, const T& value, Limits...)
    {
        Field field{.words = {}, .always = is_among<AlwaysWritten, Limits...>};
        if constexpr (std::same_as<T, NamedTexts>) {
            for (const auto& [key, text] : value) {
                const bool own = is_among<ByOwnName, Limits...> && key[0] >= 'A' && key[0] <= 'Z' && !text.empty();
                field.words.push_back(own ? Word{key, text} : Word{name, key + ":" + text});
            }
        } else if constexpr (std::same_as<T, bool>) {
            field.words.push_back({name, value ? "" : "no"});
        } else if constexpr (is_optional<T>) {
            if (value)
                field.words.push_back({name, value_text(*value)});
        } else {
            field.words.push_back({name, value_text(value)});
        }
        all.push_back(std::move(field));
    }

    std::vector<Field> all;
};

// Reads one word into the field with the same name.
class WordReader {
public:
    explicit WordReader(const Word& word) : word_(word) {}

    template <class T, class... Limits>
    void operator()(const char* name, T& value, Limits... limits)
    {
        names += (names.empty() ? "" : ", ") + std::string(name);
        if (word_.name == name) {
            read_word(word_, value, limits...);
            taken = true;
        } else if constexpr (is_among<ByOwnName, Limits...>) {
            if (!taken && !word_.name.empty() && word_.name[0] >= 'A' && word_.name[0] <= 'Z' && !word_.value.empty()) {
                value.emplace_back(word_.name, word_.value);
                taken = true;
            }
        }
    }

    bool taken = false;
    std::string names; // of all fields

private:
    const Word& word_;
};

// Returns the words of the fields that differ from T{} or are always written.
template <class T>
std::vector<Word> words_of_fields(const T& value)
{
    WordWriter now, standard;
    fields(now, value);
    const T usual{};
    fields(standard, usual);
    std::vector<Word> words;
    for (std::size_t i = 0; i < now.all.size(); ++i)
        if (now.all[i].always || now.all[i].words != standard.all[i].words)
            words.insert(words.end(), now.all[i].words.begin(), now.all[i].words.end());
    return words;
}

// Throws Error if a word names no field; `what`, such as "A place", is the subject of the message.
template <class T>
T fields_of_words(std::span<const Word> words, std::string_view what)
{
    T value{};
    for (const Word& word : words) {
        WordReader visit(word);
        fields(visit, value);
        if (!visit.taken)
            refuse_unknown_word(what, word.name, visit.names);
    }
    return value;
}

} // namespace kernels
