// Two orders of the same sum, side by side: a row times a column for each result, or a column times a row for all of them.
#pragma once

#include "viz/views/10_tiling/tiling_facts.h"

namespace viz {

enum class ProductKind : uint8_t { inner, outer };

inline ProductKind kind_of(const ThreadProduct& product)
{
    return product.outer() ? ProductKind::outer : ProductKind::inner;
}

// What stands for an outer product where the thread has a single result.
inline constexpr ThreadProduct example_product{.rows = 8, .cols = 8};

// Of a thread that has a product. `merged`: the compiler made fewer loads than are written. Returns the half that is under the mouse.
// Marks "inner product", "outer product".
std::optional<ProductKind> draw_product(const TilingPart& part, bool merged, const draw::Box& box);

} // namespace viz
