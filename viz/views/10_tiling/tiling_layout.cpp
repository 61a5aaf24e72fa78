#include "viz/views/10_tiling/tiling_layout.h"

#include "viz/text/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

using recording::Recording;

namespace {

float label_height(const Theme& theme)
{
    return draw::row_height(theme, 4, theme.mono);
}

constexpr float most_stretch = 30; // of a shared tile's elements, so that they can still be pointed at

std::vector<uint8_t> tiles_of(const Recording& recording)
{
    std::vector<uint8_t> tiles;
    for (std::size_t i = 0; i < recording.arrays.size(); ++i)
        if (recording.arrays[i].space == recording::Space::shared)
            tiles.push_back(static_cast<uint8_t>(i));
    return tiles;
}

MatrixFrame filling(const draw::Box& box, const MapShape& shape, float most)
{
    float cell = box.width() / static_cast<float>(std::max(1u, shape.cols));
    float height = box.height() / static_cast<float>(std::max(1u, shape.rows));
    cell = std::min(cell, height * most);
    height = std::min(height, cell * most);
    return {{std::round(box.min.x), std::round(box.min.y)}, cell, shape, height / cell};
}

// Wide tiles below each other, others beside each other; a ring's stages in two columns, A's and B's.
void place_tiles(const Theme& theme, const Recording& recording, const draw::Box& box, TilingLayout& layout)
{
    const std::vector<uint8_t> tiles = tiles_of(recording);
    if (tiles.empty())
        return;
    const auto wide = [&](uint8_t i) { return recording.arrays[i].cols > 2 * recording.arrays[i].rows; };
    const bool below =
        std::ranges::all_of(tiles, wide) ? box.height() > 0.3f * box.width() : box.height() > 1.6f * box.width();
    std::size_t columns = tiles.size() >= 4 ? 2 : below ? 1 : tiles.size();
    if (tiles.size() >= 4 && !below && box.width() > 2 * box.height())
        columns = tiles.size() / 2;
    const std::size_t rows = (tiles.size() + columns - 1) / columns;
    const float gap = theme.px(12), label = label_height(theme);
    const float width = (box.width() - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    const float height = (box.height() - theme.px(4) * static_cast<float>(rows - 1)) / static_cast<float>(rows);
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        // Recordings name all stages of A first, or A and B by turns: in columns each place follows the one above it.
        const std::size_t column = i / rows, row = i % rows;
        const float x = box.min.x + static_cast<float>(column) * (width + gap);
        const float y = box.min.y + static_cast<float>(row) * (height + theme.px(4)) + label;
        const recording::Array& tile = recording.arrays[tiles[i]];
        layout.tiles.push_back({tiles[i], filling({{x, y}, {x + width - 1, y + height - label - 1}},
                                                  plain_shape(tile.rows, tile.cols), most_stretch)});
    }
}

// A at the left, B above, C at the corner: the row of A and the column of B of an element of C point at it.
void place_operands(const Theme& theme, const Recording& recording, const draw::Box& box, TilingLayout& layout)
{
    const recording::Problem& p = recording.problem;
    const float label = label_height(theme), gap = theme.px(12);
    const auto m = static_cast<float>(p.M), n = static_cast<float>(p.N);
    if (recording.arrays[0].cols == 0) { // C is computed from the threads alone
        layout.operands[2] = filling({{box.min.x + 1, box.min.y + label}, box.max}, plain_shape(p.M, p.N), 3);
        return;
    }
    // K takes at least a quarter and at most half of the room, so that neither it nor C becomes a line.
    const auto k = static_cast<float>(p.K);
    const float width = box.width() - gap - 2, height = box.height() - 2 * label - theme.px(4);
    const float across = width * std::clamp(k / (k + n), 0.25f, 0.5f);
    const float down = height * std::clamp(k / (k + m), 0.25f, 0.5f);
    const ImVec2 corner{std::round(box.min.x + 1 + across + gap),
                        std::round(box.min.y + 2 * label + theme.px(4) + down)};
    const draw::Box a{{box.min.x + 1, corner.y}, {box.min.x + 1 + across, corner.y + height - down}};
    const draw::Box b{{corner.x, box.min.y + label}, {corner.x + width - across, box.min.y + label + down}};
    constexpr float any = 1e6f;
    layout.operands[0] = filling(a, plain_shape(p.M, p.K), any);
    layout.operands[1] = filling(b, plain_shape(p.K, p.N), any);
    layout.operands[2] = filling({{b.min.x, a.min.y}, {b.max.x, a.max.y}}, plain_shape(p.M, p.N), any);
    layout.product = {{box.min.x, box.min.y}, {box.min.x + across, corner.y - label - theme.px(6)}};
}

TilingLayout vector_layout(const Theme& theme, const Recording& recording, const draw::Box& box)
{
    const MapShape shape = map_shape(recording);
    const float label = label_height(theme), gap = theme.px(20), width = (box.width() - 2 * gap - 2) / 3;
    TilingLayout layout;
    for (int i = 0; i < 3; ++i) {
        const float x = box.min.x + 1 + static_cast<float>(i) * (width + gap);
        layout.operands[i] = filling({{x, box.min.y + label}, {x + width, box.max.y - 1}}, shape, 3);
    }
    return layout;
}

} // namespace

TilingLayout tiling_layout(const Theme& theme, const Recording& recording, const draw::Box& box)
{
    const bool vectors = recording.arrays.size() == 3 && recording.arrays[0].rows == 1 && recording.problem.K == 1 &&
                         map_shape(recording).wrapped;
    if (vectors)
        return vector_layout(theme, recording, box);
    TilingLayout layout;
    draw::Box matrices = box, tiles = box;
    if (!tiles_of(recording).empty() && box.width() > 1.2f * box.height()) {
        matrices.max.x = box.min.x + std::min(box.width() * 0.66f, box.height() * 1.15f);
        tiles.min.x = matrices.max.x + theme.px(20);
    } else if (!tiles_of(recording).empty()) {
        matrices.max.y = box.min.y + std::min(box.height() * 0.7f, box.width() * 1.25f);
        tiles.min.y = matrices.max.y + theme.px(6);
    }
    place_operands(theme, recording, matrices, layout);
    place_tiles(theme, recording, tiles, layout);
    return layout;
}

void draw_label(const Theme& theme, const MatrixFrame& matrix, const recording::Array& array)
{
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 place{matrix.corner.x, matrix.corner.y - label_height(theme)};
    const std::string names[] = {matrix.shape.wrapped
                                     ? fmt::format("{}: {}", array.name, thousands(uint64_t{array.cols}))
                                     : fmt::format("{} {} x {}", array.name, array.rows, array.cols),
                                 array.name};
    const std::string name = draw::first_fitting(theme.mono_bold, matrix.box().width(), names);
    const ImVec2 extent = draw::measure(theme.mono_bold, name); // an arrow may pass below
    list->AddRectFilled(place, {place.x + extent.x + theme.px(2), place.y + extent.y}, theme.background);
    draw::text(list, theme.mono_bold, place, theme.ink, name);
}

} // namespace viz
