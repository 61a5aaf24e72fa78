#include "viz/views/35_layout/arrangement.h"

namespace viz {

void LayoutOptions::set(const Mapping& mapping)
{
    places = mapping.kind;
    switch (mapping.kind) {
    case Mapping::Kind::recorded:
    case Mapping::Kind::row_major: break;
    case Mapping::Kind::padded: padding = mapping.padding; break;
    case Mapping::Kind::xored:
        (mapping.bits == Mapping::Bits::of_row ? row_bits : column_bits) = {mapping.from, mapping.to, mapping.count};
        break;
    case Mapping::Kind::typed: formula = mapping.formula; break;
    }
}

Mapping LayoutOptions::mapping() const
{
    Mapping mapping{.kind = places};
    mapping.padding = padding.value_or(mapping.padding);
    mapping.formula = formula.value_or(mapping.formula);
    if (const auto& bits = column_bits ? column_bits : row_bits) {
        mapping.bits = column_bits ? Mapping::Bits::of_col : Mapping::Bits::of_row;
        mapping.from = bits->from;
        mapping.to = bits->to;
        mapping.count = bits->count;
    }
    return mapping;
}

} // namespace viz
