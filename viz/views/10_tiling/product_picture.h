// Two orders of the same sum, side by side: a row times a column for each result, or a column times a row for all of them.
#pragma once

#include "viz/analysis/tiling.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"
#include "viz/theme.h"

namespace viz {

struct ProductPicture {
    const ThreadProduct& product;
    const Theme& theme;
    Colour accent = 0;
    bool merged = false;    // the compiler made fewer loads than are written
    Marks* marks = nullptr; // "inner product", "outer product"
};

enum class ProductKind : uint8_t { inner, outer };

inline ProductKind kind_of(const ThreadProduct& product)
{
    return product.outer() ? ProductKind::outer : ProductKind::inner;
}

// What stands for an outer product where the thread has a single result.
inline constexpr ThreadProduct example_product{.rows = 8, .cols = 8};

// Returns the half that is under the mouse.
std::optional<ProductKind> draw_product(ImDrawList* list, const ProductPicture& picture, const draw::Box& box);

} // namespace viz
