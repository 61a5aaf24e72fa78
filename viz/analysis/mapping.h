// Where the elements of a shared tile lie, as recorded or as somebody would like to try: row after row, padded, XORed,
// or by a typed formula. Pure functions.
#pragma once

#include "viz/text/message.h"

#include "recording/recording.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

struct Mapping {
    enum class Kind { recorded, row_major, padded, xored, typed };
    enum class Bits { of_row, of_col };
    Kind kind = Kind::recorded;
    int padding = 4; // elements after each row
    // XOR: `count` bits of the row or column, from bit `from` on, flip as many bits of the column from bit `to` on.
    Bits bits = Bits::of_row;
    int from = 2, count = 1, to = 4;
    std::string formula = "row*cols + (col ^ (row/4*16))";
    friend bool operator==(const Mapping&, const Mapping&) = default;
};

inline constexpr int most_padding = 32, most_bit = 7, most_bits = 5;

std::vector<Mapping> all_xors(); // those of the fewest bits first

// The value of a formula in these names with whole numbers and the operators of C: + - * / % << >> & ^ | ~ and parentheses; or why
// it has none.
struct FormulaValue {
    std::optional<int64_t> value;
    std::optional<Message> refusal;
};
struct NamedNumber {
    std::string_view name;
    int64_t value = 0;
};
FormulaValue evaluate(std::string_view formula, std::span<const NamedNumber> names);

// Mapping::kind written as a formula, for those who want to go on from it.
std::string formula_of(const Mapping& mapping);

// How a tile's recorded places came about: row after row, padded, or an XOR of the fewest bits; nothing: otherwise.
std::optional<Mapping> recorded_mapping(const recording::Array& tile);

// What an XOR does with one element: the bits of its row or column that decide, and those of its column that they flip.
struct FlippedBits {
    uint32_t decide = 0, flipped = 0; // masks
    int up = 0;                       // from a bit that decides to the one that it flips
};
FlippedBits flipped_bits(const Mapping& mapping, uint32_t row, uint32_t col);

// Its XOR worked out for one element: "4 >> 2 = 1, 1 & 1 = 1, 1 << 4 = 16"; empty for other kinds.
std::string flip_steps(const Mapping& mapping, uint32_t row, uint32_t col);

// The place of each element, in elements from the start of the tile, row-major by (row, col); or why there is none.
struct Places {
    std::vector<uint32_t> place;
    uint64_t bytes = 0; // that the tile then takes
    std::optional<Message> refusal;
    bool valid() const { return !refusal; }
};
Places places_of(const recording::Array& tile, const Mapping& mapping);

} // namespace viz
