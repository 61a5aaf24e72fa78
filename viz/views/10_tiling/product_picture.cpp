#include "viz/views/10_tiling/product_picture.h"

#include "viz/draw/matrix_picture.h"
#include "viz/text/figures.h"
#include "viz/text/templates.h"

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

constexpr uint32_t shown_ks = 6; // of the row and the column that an inner product goes along

// A at the left, B above, the results at the corner, as in the large picture.
void draw_corner(const TilingPart& part, const draw::Box& box, ProductKind kind)
{
    const Theme& theme = part.theme();
    const bool outer = kind == ProductKind::outer, own = kind == kind_of(*part.facts.product);
    const ThreadProduct& shown = part.facts.product->results() > 1 ? *part.facts.product : example_product;
    const uint32_t rows = outer ? shown.rows : 1, cols = outer ? shown.cols : 1;
    const uint32_t ks = outer ? 1 : shown_ks;
    const float gap = theme.px(4);
    float cell = (box.width() - gap) / static_cast<float>(cols + ks);
    float height = (box.height() - gap) / static_cast<float>(rows + ks);
    // A block's results may be a wide band; then its cells are high, so that it fills its place.
    const bool band = std::max(rows, cols) > 4 * std::min(rows, cols);
    const float most_stretch = outer && band ? 12 : 2;
    cell = std::min(cell, height * most_stretch);
    height = std::min(height, cell * most_stretch);
    const ImVec2 corner{std::round(box.min.x + cell * static_cast<float>(ks) + gap),
                        std::round(box.min.y + height * static_cast<float>(ks) + gap)};
    const float stretch = height / cell, before = static_cast<float>(ks);
    const MatrixFrame results{corner, cell, plain_shape(rows, cols), stretch};
    const MatrixFrame a{{corner.x - gap - cell * before, corner.y}, cell, plain_shape(rows, ks), stretch};
    const MatrixFrame b{{corner.x, corner.y - gap - height * before}, cell, plain_shape(ks, cols), stretch};
    const auto faded = [&](Colour colour) { return own ? colour : mix(theme.panel, colour, 0.45f); };
    for (const MatrixFrame* operand : {&a, &b}) {
        draw_matrix(part.list, *operand, theme);
        fill_cells(part.list, *operand, {{0, 0, operand->shape.rows, operand->shape.cols}}, faded(theme.compute), 1);
    }
    draw_matrix(part.list, results, theme);
    fill_cells(part.list, results, {{0, 0, rows, cols}}, faded(part.accent()), 1);
}

// For as many results on both sides, or the one with more looks dearer.
std::string name_of(const TilingPart& part, bool merged, ProductKind kind, float room)
{
    const bool own = kind == kind_of(*part.facts.product);
    Messages beside;
    if (part.facts.product->results() == 1)
        beside.push_back({"tiling.for_results", {{"results", example_product.results()}}});
    if (own && merged)
        beside.push_back({"tiling.as_written"});
    const auto named = [kind](const Messages& behind) {
        return plain(kind == ProductKind::outer ? Message{"tiling.outer", {{"beside", behind}}}
                                                : Message{"tiling.inner", {{"beside", behind}}});
    };
    const std::string either[] = {named(beside), named({})};
    return draw::first_fitting(part.theme().text, room, either);
}

Message cost_of(const ThreadProduct& own, ProductKind kind)
{
    const ThreadProduct& product = own.results() == 1 ? example_product : own;
    if (kind == ProductKind::inner)
        return {"tiling.inner_reads", {{"results", product.results()}}};
    if (kind == kind_of(product) && product.of_block && product.reads > 1.005 * product.outer_reads())
        return {"tiling.outer_values",
                {{"rows", product.rows}, {"cols", product.cols}, {"reads", rounded(product.reads)}}};
    return {"tiling.outer_reads", {{"rows", product.rows}, {"cols", product.cols}}};
}

} // namespace

std::optional<ProductKind> draw_product(const TilingPart& part, bool merged, const draw::Box& box)
{
    const Theme& theme = part.theme();
    const float gap = theme.px(14), line = draw::line_height(theme.text);
    const float width = (box.width() - gap) / 2;
    std::optional<ProductKind> under;
    for (const ProductKind kind : {ProductKind::inner, ProductKind::outer}) {
        const bool outer = kind == ProductKind::outer, own = kind == kind_of(*part.facts.product);
        const float x = box.min.x + (outer ? width + gap : 0);
        const draw::Box half{{x, box.min.y}, {x + width, box.max.y}};
        const Colour ink = own ? theme.ink : theme.ink_faint;
        draw::text(part.list, theme.text, half.min, ink, name_of(part, merged, kind, half.width() + gap));
        const std::string cost = plain(cost_of(*part.facts.product, kind));
        const float drawn = half.height() - 2 * line - theme.px(6);
        if (drawn < theme.px(24))
            continue;
        const float y = half.min.y + line + theme.px(3);
        draw_corner(part, {{x, y}, {x + half.width(), y + drawn}}, kind);
        if (draw::measure(theme.text, cost).x <= width + gap) // else the tooltip says it
            draw::text(part.list, theme.text, {x, y + drawn + theme.px(2)}, ink, cost);
        mark(part.marks(), outer ? "outer product" : "inner product", half);
        if (draw::pointed_at(half))
            under = kind;
    }
    return under;
}

} // namespace viz
