// Layouts of a shared tile, recorded or alternative: row-major, padded, XOR swizzled, or given by a typed formula. Pure
// functions.
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

// The layout of a shared tile: a rule that assigns a place to each element.
struct Mapping {
    enum class Kind { recorded, row_major, padded, xored, typed };
    enum class Bits { of_row, of_col };
    Kind kind = Kind::recorded;
    int padding = 4; // elements after each row
    // For `xored`: `count` bits of the row or column from bit `from` on flip the same number of bits of the column from
    // bit `to` on.
    Bits bits = Bits::of_row;
    int from = 2, count = 1, to = 4;
    std::string formula = "row*cols + (col ^ ((row >> 2 & 1) << 4))"; // the form of formula_of()
    friend bool operator==(const Mapping&, const Mapping&) = default;
};

inline constexpr int most_padding = 32, most_bit = 7, most_bits = 5;

std::vector<Mapping> all_xors(); // ascending by the number of bits

// The integer value of a formula with these names, parentheses and the operators of C: + - * / % << >> & ^ | ~. Or the
// reason why it has none.
struct FormulaValue {
    std::optional<int64_t> value;
    std::optional<Message> refusal;
};
struct NamedNumber {
    std::string_view name;
    int64_t value = 0;
};
FormulaValue evaluate(std::string_view formula, std::span<const NamedNumber> names);

// Writes a mapping as a formula that the user can edit.
std::string formula_of(const Mapping& mapping);

// Returns the mapping that produces the tile's recorded layout: row-major, padded, or the XOR with the fewest bits.
// Returns nothing if none of them does.
std::optional<Mapping> recorded_mapping(const recording::Array& tile);

// The effect of an XOR on one element: the deciding bits of the row or column, and the bits of the column that they
// flip.
struct FlippedBits {
    uint32_t decide = 0, flipped = 0; // masks
    int up = 0;                       // distance from a deciding bit to the bit that it flips
};
FlippedBits flipped_bits(const Mapping& mapping, uint32_t row, uint32_t col);

// Returns the steps of an XOR for one element: "4 >> 2 = 1, 1 & 1 = 1, 1 << 4 = 16". Empty for other kinds.
std::string flip_steps(const Mapping& mapping, uint32_t row, uint32_t col);

// The place of each element, or why the mapping is invalid. A place is a number of elements from the start of the tile.
// Places are in row-major order of the elements.
struct Places {
    std::vector<uint32_t> place;
    uint64_t bytes = 0; // size of the tile with this layout
    std::optional<Message> refusal;
    bool valid() const { return !refusal; }
};
Places places_of(const recording::Array& tile, const Mapping& mapping);

} // namespace viz
