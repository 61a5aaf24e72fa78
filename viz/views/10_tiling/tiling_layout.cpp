#include "viz/views/10_tiling/tiling_layout.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

using recording::Recording;

float label_height(const Theme& theme)
{
    return std::ceil(draw::measure(theme.mono, "A").y + theme.px(5));
}

void draw_label(ImDrawList* list, const Theme& theme, const MatrixFrame& matrix, const recording::Array& array)
{
    // Left of C, a name wider than its matrix must not run into C's.
    const std::string text = matrix.shape.wrapped
                                 ? fmt::format("{}: {} elements", array.name, thousands(uint64_t{array.cols}))
                                 : fmt::format("{} {} x {}", array.name, array.rows, array.cols);
    const float left =
        array.name == "A" ? matrix.box().max.x - draw::measure(theme.mono_bold, text).x : matrix.corner.x;
    draw::text(list, theme.mono_bold, {std::min(matrix.corner.x, left), matrix.corner.y - label_height(theme)},
               theme.ink, text);
}

std::vector<uint8_t> tiles_of(const Recording& recording)
{
    std::vector<uint8_t> tiles;
    for (std::size_t i = 0; i < recording.arrays.size(); ++i)
        if (recording.arrays[i].space == recording::Space::shared)
            tiles.push_back(static_cast<uint8_t>(i));
    return tiles;
}

// Wide tiles go below each other, others side by side where the place is wide.
bool tiles_stacked(const Recording& recording, float width, float height)
{
    const std::vector<uint8_t> tiles = tiles_of(recording);
    return height > width * 0.6f || std::all_of(tiles.begin(), tiles.end(), [&](uint8_t i) {
               return recording.arrays[i].cols > 2 * recording.arrays[i].rows;
           });
}

namespace {

// What the lanes and the tiles need below the matrices to be as wide as the box.
float side_height(const Theme& theme, const Recording& recording, float width)
{
    const std::vector<uint8_t> tiles = tiles_of(recording);
    const bool one_below_another = tiles_stacked(recording, width, 0);
    float sum = 0, tallest = 0;
    for (const uint8_t i : tiles) {
        const recording::Array& tile = recording.arrays[i];
        const float share = one_below_another ? width : width / static_cast<float>(tiles.size()) - theme.px(14);
        const float cell = std::min(share / static_cast<float>(std::max(1u, tile.cols)), theme.px(14));
        const float height = label_height(theme) + cell * static_cast<float>(tile.rows) + theme.px(14);
        sum += height;
        tallest = std::max(tallest, height);
    }
    return label_height(theme) + lane_strip_height(theme, width) + theme.px(28) + (one_below_another ? sum : tallest);
}

// A at the left, B above, C at the corner: the row of A and the column of B of an element of C point at it.
TilingLayout corner_layout(const Theme& theme, const Recording& recording, const draw::Box& box)
{
    const recording::Problem& p = recording.problem;
    const float label = label_height(theme), gap = theme.px(14);
    const float name = draw::measure(theme.mono_bold, fmt::format("A {} x {}", p.M, p.K)).x;
    const auto m = static_cast<float>(p.M), n = static_cast<float>(p.N);
    const bool reads = recording.arrays[0].cols > 0; // C is computed from A and B, not from the threads alone
    const auto k = static_cast<float>(reads ? p.K : 0);
    const bool beside = box.width() > 1.35f * box.height();
    const float below = std::min(side_height(theme, recording, box.width()), box.height() * 0.45f);
    const float width = beside ? box.width() * 0.58f : box.width(), height = box.height() - (beside ? 0 : below);
    float cell = std::min((width - gap - 2) / (k + n), (height - 2 * label - 4) / (k + m));
    cell = cell >= 2 ? std::floor(cell) : std::max(cell, 0.01f);
    TilingLayout layout;
    const float across = std::max(cell * k, name) + gap;
    const ImVec2 corner{std::round(box.min.x + across) + 2, std::round(box.min.y + 2 * label + cell * k)};
    if (reads) {
        layout.operands[0] = {{std::round(corner.x - gap - cell * k), corner.y}, cell, plain_shape(p.M, p.K)};
        layout.operands[1] = {{corner.x, std::round(box.min.y + label)}, cell, plain_shape(p.K, p.N)};
    }
    layout.operands[2] = {corner, cell, plain_shape(p.M, p.N)};
    const draw::Box c = layout.operands[2].box();
    const float names = std::max(draw::measure(theme.mono_bold, fmt::format("B {} x {}", p.K, p.N)).x,
                                 draw::measure(theme.mono_bold, fmt::format("C {} x {}", p.M, p.N)).x);
    const float right = std::max(c.max.x, c.min.x + names);
    layout.side = beside ? draw::Box{{right + theme.px(32), box.min.y}, box.max}
                         : draw::Box{{box.min.x, c.max.y + theme.px(12)}, box.max};
    return layout;
}

// Vectors: A + B = C side by side, or one below the other, each wrapped into rows.
TilingLayout vector_layout(const Theme& theme, const Recording& recording, const draw::Box& box)
{
    const MapShape shape = map_shape(recording);
    const float label = label_height(theme), gap = theme.px(28), strip = theme.px(90);
    const auto rows = static_cast<float>(std::max(1u, shape.rows)), cols = static_cast<float>(std::max(1u, shape.cols));
    const float cell =
        std::min({(box.width() - 2 * gap) / (3 * cols), (box.height() - label - strip) / rows, theme.px(24)});
    TilingLayout layout;
    for (int i = 0; i < 3; ++i) {
        layout.operands[i].cell = cell >= 2 ? std::floor(cell) : std::max(cell, 0.01f);
        layout.operands[i].shape = shape;
        layout.operands[i].corner = {
            1 + std::round(box.min.x + static_cast<float>(i) * (layout.operands[i].cell * cols + gap)),
            std::round(box.min.y + label)};
    }
    layout.side = {{box.min.x, layout.operands[2].box().max.y + theme.px(14)}, box.max};
    return layout;
}

} // namespace

TilingLayout tiling_layout(const Theme& theme, const Recording& recording, const draw::Box& box)
{
    const bool vectors = recording.arrays.size() == 3 && recording.arrays[0].rows == 1 && recording.problem.K == 1 &&
                         map_shape(recording).wrapped;
    return vectors ? vector_layout(theme, recording, box) : corner_layout(theme, recording, box);
}

} // namespace viz
