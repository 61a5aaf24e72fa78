#include "viz/views/35_layout/arrangement.h"

#include "viz/text/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace viz {

namespace {

constexpr std::pair<std::string_view, Mapping::Kind> names_of_kinds[] = {{"recorded", Mapping::Kind::recorded},
                                                                         {"row_after_row", Mapping::Kind::row_major},
                                                                         {"padded", Mapping::Kind::padded},
                                                                         {"xor", Mapping::Kind::xored},
                                                                         {"formula", Mapping::Kind::typed}};

// "5,76"; fewer where one of them is no number.
std::vector<int> numbers_of(std::string_view text)
{
    std::vector<int> numbers;
    for (const std::string_view part : split(text, ',')) {
        int number = 0;
        const char* const end = part.data() + part.size();
        const auto read = std::from_chars(part.data(), end, number);
        if (read.ec != std::errc() || read.ptr != end || number < 0)
            break;
        numbers.push_back(number);
    }
    return numbers;
}

void take_xor(Mapping& mapping, const std::vector<int>& numbers)
{
    if (numbers.size() != 3)
        return;
    mapping.from = std::min(numbers[0], most_bit);
    mapping.to = std::min(numbers[1], most_bit);
    mapping.count = std::clamp(numbers[2], 1, most_bits);
}

void take(Arrangement& arrangement, std::string_view name, std::string_view value)
{
    Mapping& mapping = arrangement.mapping;
    const std::vector<int> numbers = numbers_of(value);
    if (name == "tile") {
        arrangement.tile = value;
    } else if (name == "places") {
        for (const auto& [word, kind] : names_of_kinds)
            if (word == value)
                mapping.kind = kind;
    } else if (name == "padding" && numbers.size() == 1) {
        mapping.padding = std::min(numbers[0], most_padding);
    } else if (name == "row_bits" || name == "column_bits") {
        mapping.bits = name == "row_bits" ? Mapping::Bits::of_row : Mapping::Bits::of_col;
        take_xor(mapping, numbers);
    } else if (name == "element" && numbers.size() == 2) {
        arrangement.element = Cell{static_cast<uint32_t>(numbers[0]), static_cast<uint32_t>(numbers[1])};
    }
}

} // namespace

std::string text_of(const Arrangement& arrangement)
{
    std::string text;
    const auto add = [&](const std::string& word) { text += (text.empty() ? "" : ";") + word; };
    const Mapping& mapping = arrangement.mapping;
    if (!arrangement.tile.empty())
        add("tile=" + arrangement.tile);
    for (const auto& [word, kind] : names_of_kinds)
        if (kind == mapping.kind && kind != Mapping::Kind::recorded)
            add(fmt::format("places={}", word));
    if (mapping.kind == Mapping::Kind::padded)
        add(fmt::format("padding={}", mapping.padding));
    if (mapping.kind == Mapping::Kind::xored)
        add(fmt::format("{}={},{},{}", mapping.bits == Mapping::Bits::of_row ? "row_bits" : "column_bits", mapping.from,
                        mapping.to, mapping.count));
    if (arrangement.element)
        add(fmt::format("element={},{}", arrangement.element->row, arrangement.element->col));
    if (mapping.kind == Mapping::Kind::typed)
        add("formula=" + mapping.formula);
    return text;
}

Arrangement arrangement_of(std::string_view words)
{
    Arrangement arrangement;
    while (!words.empty()) {
        const std::size_t equals = std::min(words.find('='), words.size());
        const std::string_view name = words.substr(0, equals);
        words.remove_prefix(std::min(equals + 1, words.size()));
        if (name == "formula") {
            arrangement.mapping.formula = words;
            break;
        }
        const std::size_t end = std::min(words.find(';'), words.size());
        take(arrangement, name, words.substr(0, end));
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return arrangement;
}

} // namespace viz
