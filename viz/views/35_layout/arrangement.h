// What a person has set in the view of layouts, as its text has it: "tile=As places=padded padding=3 element=5,76".
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/mapping.h"
#include "viz/view_options.h"

#include <optional>
#include <string>
#include <string_view>

namespace viz {

struct XorBits { // see Mapping
    int from = 0, to = 0, count = 1;
};
void fields(auto& visit, kernels::Like<XorBits> auto& bits)
{
    visit("from", bits.from, kernels::between(0, most_bit));
    visit("to", bits.to, kernels::between(0, most_bit));
    visit("count", bits.count, kernels::between(1, most_bits));
}

// Of the numbers only those that its kind of places has.
struct LayoutOptions {
    std::string tile; // empty: that of the current access
    Mapping::Kind places = Mapping::Kind::recorded;
    std::optional<int> padding;
    std::optional<XorBits> row_bits, column_bits;
    std::optional<Cell> element;
    std::optional<std::string> formula;

    void set(const Mapping& mapping);
    Mapping mapping() const;
};
void fields(auto& visit, kernels::Like<LayoutOptions> auto& options)
{
    static constexpr std::string_view kinds[] = {"recorded", "row_after_row", "padded", "xor", "formula"};
    visit("tile", options.tile);
    visit("places", options.places, OneOf{kinds});
    visit("padding", options.padding, kernels::between(0, most_padding));
    visit("row_bits", options.row_bits);
    visit("column_bits", options.column_bits);
    visit("element", options.element);
    visit("formula", options.formula, to_the_end);
}

} // namespace viz
