// A Message is text as a plain value: the id of a template, and named arguments. Functions that explain something
// return Messages, which become English when they are rendered (viz/text/templates.h). Tests can compare ids and
// arguments, and only the text layer formats numbers.
//
// To add a sentence:
//   1. Write a section in assets/text/FILE.md, where FILE is the view or panel, under a heading that is its id:
//          ## banks.conflict
//          **{lanes}** {lanes?lane|lanes} meet in bank {bank}: **{wavefronts|wavefront|wavefronts}**.
//   2. Return it where the numbers are known. Ids and argument names are literals, so that both can be searched for:
//          Message{"banks.conflict", {{"lanes", lanes}, {"bank", index(bank)}, {"wavefronts", n}}}
//   3. Draw it: RichText(theme).write(message), or plain(message) for a tooltip, the status line, the terminal.
//
// tests/viz/text/templates_test.cpp reads all templates and all sources. It fails for an id without a template, for an
// unused template, and for arguments that differ from those of the template.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace viz {

struct Message;
enum class NumberOrigin : uint8_t; // viz/origin.h

// The meaning that an argument's colour expresses. RichText maps it to a colour of the theme.
enum class Meaning : uint8_t { none, conflict, good, strong, quiet, faint, column }; // from `column` on: see of_column
constexpr Meaning of_column(std::size_t number)                                      // the colour of a compared stage
{
    return static_cast<Meaning>(static_cast<std::size_t>(Meaning::column) + number);
}
constexpr std::optional<std::size_t> column_of(Meaning meaning)
{
    return meaning < Meaning::column
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(meaning) - static_cast<std::size_t>(Meaning::column));
}

// The style of a run of words.
enum class Style : uint8_t { words, strong, figure, code, heading, faint };

// A piece of rich text: words in one style, a swatch, an origin mark, a gap or a line break.
struct Run {
    enum class Kind : uint8_t { words, swatch, origin, gap, new_line };
    Kind kind = Kind::words;
    std::string words;
    Style style = Style::words;
    Meaning meaning = Meaning::none;
    uint32_t colour = 0; // of a swatch
    std::optional<NumberOrigin> origin = {};
    friend bool operator==(const Run&, const Run&) = default;
};

using Rich = std::vector<Run>; // made by rich() (viz/text/rich.h)

// The unit in which a quantity is printed.
enum class Unit : uint8_t {
    number,      // "31,434", "49.9", "0.51": as many decimals as a measurement supports
    share,       // 0..1: "61.8%"
    change,      // 0.14: "+14%"; 0: "the same"
    nanoseconds, // "690 ns", "31.2 µs"
    bytes,       // "228 KiB"
    rounded,     // "12", "1.25", "0.5": three significant digits at most, without trailing zeros
    decimals,    // the number of decimals is Quantity::decimals
};

// A number with its unit.
struct Quantity {
    double value = 0;
    Unit unit = Unit::number;
    int decimals = 0;
    friend bool operator==(const Quantity&, const Quantity&) = default;
};

// A number that is printed without separators: of a line, a block, a thread.
struct Index {
    int64_t value = 0;
    friend bool operator==(const Index&, const Index&) = default;
};

// A small coloured square, kept on one line with the words after it. Omitted in plain text.
struct Swatch {
    uint32_t colour = 0; // viz::Colour
    friend bool operator==(const Swatch&, const Swatch&) = default;
};

// The value of an argument.
class Value {
public:
    using List = std::vector<Value>;
    using Nested = std::vector<Message>; // sentences inside a sentence, one after another
    using Content = std::variant<int64_t, Index, Quantity, std::string, Swatch, NumberOrigin, List, Nested, Rich>;

    // Implicit, so that arguments can be written as {"lanes", lanes}. Defined below, where Message is complete.
    // NOLINTBEGIN(google-explicit-constructor)
    template <std::integral Count> // a count: "8,192". A bool chooses between two words: {store?writes|reads}
    Value(Count count);
    Value(Index index);
    Value(Quantity quantity);
    Value(std::string text);
    Value(std::string_view text);
    Value(const char* text);
    Value(Swatch swatch);
    Value(NumberOrigin origin);
    Value(List list); // "1, 2 and 3"
    Value(Message message);
    Value(Nested messages);
    Value(Rich sentence);
    // NOLINTEND(google-explicit-constructor)

    Value as(Meaning what) &&; // sets the colour
    friend bool operator==(const Value& a, const Value& b);

    Content content;
    Meaning meaning = Meaning::none;
};

struct Argument {
    std::string_view name; // a literal
    Value value;
    friend bool operator==(const Argument&, const Argument&) = default;
};

struct Message {
    std::string_view id; // a literal
    std::vector<Argument> arguments = {};
    friend bool operator==(const Message&, const Message&) = default;
};

using Messages = std::vector<Message>;

template <std::integral Count>
Value::Value(Count count) : content(static_cast<int64_t>(count))
{
}
inline Value::Value(Index index) : content(index) {}
inline Value::Value(Quantity quantity) : content(quantity) {}
inline Value::Value(std::string text) : content(std::move(text)) {}
inline Value::Value(std::string_view text) : content(std::string(text)) {}
inline Value::Value(const char* text) : content(std::string(text)) {}
inline Value::Value(Swatch swatch) : content(swatch) {}
inline Value::Value(NumberOrigin origin) : content(origin) {}
inline Value::Value(List list) : content(std::move(list)) {}
inline Value::Value(Message message) : content(Nested{std::move(message)}) {}
inline Value::Value(Nested messages) : content(std::move(messages)) {}
inline Value::Value(Rich sentence) : content(std::move(sentence)) {}
inline bool operator==(const Value& a, const Value& b)
{
    return a.meaning == b.meaning && a.content == b.content;
}
inline Value Value::as(Meaning what) &&
{
    meaning = what;
    return std::move(*this);
}

Index index(std::integral auto value)
{
    return {static_cast<int64_t>(value)};
}
inline Quantity number(double value)
{
    return {value, Unit::number};
}
inline Quantity share(double value)
{
    return {value, Unit::share};
}
inline Quantity nanoseconds(double value)
{
    return {value, Unit::nanoseconds};
}
inline Quantity bytes(double value)
{
    return {value, Unit::bytes};
}
inline Quantity rounded(double value)
{
    return {value, Unit::rounded};
}
inline Quantity with_decimals(double value, int decimals)
{
    return {value, Unit::decimals, decimals};
}
// Returns the relative change from a to b. If a is 0, b must be 0 too.
inline Quantity change_of(double a, double b)
{
    return {a == b ? 0.0 : (b - a) / a, Unit::change};
}

} // namespace viz
