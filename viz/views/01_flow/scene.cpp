#include "viz/views/01_flow/scene.h"

#include "viz/analysis/owner_map.h"

#include <algorithm>
#include <cmath>

namespace viz {

namespace {

constexpr float lane_count = 32;

float scene_label_room(const Theme& theme)
{
    return std::round(draw::measure(theme.mono, "A").y + theme.px(4));
}

// Returns the width of the row names, which can be longer than As and Bs.
float gutter_width(const recording::Recording& recording, const MemoryRows& rows, const Theme& theme, float room)
{
    float width = theme.px(54);
    for (const RowBand& band : rows.bands())
        width =
            std::max(width, draw::measure(theme.mono_bold, recording.arrays[band.array].name + " 0").x + theme.px(10));
    return std::min(width, room * 0.2f);
}

// Wraps a vector into about as many rows as each row has elements.
MapShape shape_of(const recording::Array& array)
{
    if (array.rows != 1 || array.cols <= 32)
        return plain_shape(array.rows, array.cols);
    MapShape shape{1, 32, true, array.cols};
    while (array.cols / shape.cols > 2 * shape.cols)
        shape.cols *= 2;
    shape.rows = (array.cols + shape.cols - 1) / shape.cols;
    return shape;
}

} // namespace

FlowScene::FlowScene(const FlowFacts& facts, float zoom, const Theme& theme, const draw::Box& box)
    : facts_(facts), recording_(facts.tiling->recording()), zoom_(zoom), operands_(recording_.arrays.size())
{
    const float gutter = gutter_width(recording_, facts.rows, theme, box.width()),
                lane_height = std::round(theme.px(22) * zoom_);
    // A small number of rows leaves its room to the matrices. The 32 lines that a warp can touch always keep their
    // room, so that the picture does not move between steps.
    const uint32_t rows = facts.lines_below && !few_rows() ? 32 : facts.rows.rows();
    const float wanted = static_cast<float>(rows) * highest_row(theme) + scene_label_room(theme);
    const float below = std::min(wanted, box.height() * 0.44f);
    const float between = std::min(theme.px(100) * zoom_, box.height() * 0.14f);
    const float above = box.height() - below - between - lane_height - theme.px(8);
    lanes_ = {{box.min.x + gutter, box.min.y + above}, {box.max.x, box.min.y + above + lane_height}};
    const float cell = std::floor((lanes_.max.x - lanes_.min.x) / lane_count);
    lanes_.max.x = lanes_.min.x + cell * lane_count;
    place_memory(theme, {{lanes_.min.x, lanes_.max.y + between}, {lanes_.max.x, box.max.y}});
    gutter_ = {{box.min.x, memory_.min.y}, {lanes_.min.x - theme.px(6), memory_.max.y}};
    const float split = box.min.x + box.width() * 0.52f;
    registers_ = {{split + theme.px(14), box.min.y}, {box.max.x, lanes_.min.y - theme.px(14)}};
    const draw::Box above_lanes{box.min, {split, lanes_.min.y - theme.px(20)}};
    multiplies(recording_) ? place_operands(theme, above_lanes) : place_buffers(theme, above_lanes);
}

// Places the buffers side by side, each as large as possible: those that the step touches, the kernel's outputs, and
// others if there is room.
void FlowScene::place_buffers(const Theme& theme, const draw::Box& box)
{
    constexpr std::size_t most = 4;
    std::vector<std::size_t> shown;
    const auto add = [&](std::size_t array) {
        if (array < recording_.arrays.size() && recording_.arrays[array].space == recording::Space::global &&
            uint64_t{recording_.arrays[array].rows} * recording_.arrays[array].cols > 0 && shown.size() < most &&
            std::ranges::find(shown, array) == shown.end())
            shown.push_back(array);
    };
    for (const Transfer& transfer : facts_.transfers.transfers)
        for (const Endpoint& end : {transfer.from, transfer.to})
            if (!end.in_lane)
                add(end.array);
    add(2);
    for (std::size_t array = 0; array < recording_.arrays.size(); ++array)
        add(array);
    std::ranges::sort(shown); // keeps the places from step to step
    const float gap = theme.px(24), label = scene_label_room(theme);
    const auto count = static_cast<float>(std::max<std::size_t>(shown.size(), 1));
    const float width = (box.width() - gap * (count - 1)) / count;
    float x = box.min.x;
    for (const std::size_t array : shown) {
        const MapShape shape = shape_of(recording_.arrays[array]);
        const auto rows = static_cast<float>(shape.rows), cols = static_cast<float>(shape.cols);
        const float fit = std::min(width / cols, (box.height() - label) / rows);
        const float cell = fit >= 2 ? std::floor(fit) : std::max(fit, 0.001f);
        operands_[array] = {{x, box.min.y + label}, cell, shape};
        x += width + gap;
    }
}

// Returns whether the matrices are so small that a warp touches few lines, or fills few rows of banks.
bool FlowScene::few_rows() const
{
    constexpr uint64_t few = 8;
    uint64_t rows = 0;
    for (const recording::Array& array : recording_.arrays)
        if (facts_.lines_below == (array.space == recording::Space::global))
            rows += (array.bytes + row_bytes - 1) / row_bytes;
    return rows <= few;
}

// If there are few rows, each is high enough for a word's name and value.
float FlowScene::highest_row(const Theme& theme) const
{
    return std::round(theme.px(few_rows() ? 34.0f : 14.0f) * zoom_);
}

void FlowScene::place_operands(const Theme& theme, draw::Box box)
{
    const recording::Array &a = recording_.arrays[0], &c = recording_.arrays[2];
    const float label = scene_label_room(theme), gap = theme.px(10);
    const MapShape shape = map_shape(recording_);
    const bool reads = a.cols > 0;
    if (shape.wrapped) { // vectors are placed side by side
        const std::size_t first = reads ? 0 : 2, count = 3 - first;
        const auto cols = static_cast<float>(std::max(1u, shape.cols)),
                   rows = static_cast<float>(std::max(1u, shape.rows));
        const float cell =
            std::min((box.width() - 2 * gap) / (static_cast<float>(count) * cols), (box.height() - label) / rows);
        for (std::size_t i = first; i < 3; ++i)
            operands_[i] = {
                {box.min.x + static_cast<float>(i - first) * (cell * cols + gap), box.min.y + label}, cell, shape};
        return;
    }
    const auto m = static_cast<float>(c.rows), n = static_cast<float>(c.cols);
    const auto k = static_cast<float>(reads ? a.cols : 0);
    // Elements are as wide and as high as the room allows, within limits.
    constexpr float most = 3; // largest ratio between the sides
    const auto fit = [](float room, float count) {
        const float side = room / count;
        return side >= 2 ? std::floor(side) : std::max(side, 0.01f);
    };
    const float across = fit(box.width() - gap - 2 * label, k + n), down = fit(box.height() - gap - label, k + m);
    const float cell = std::min(across, most * down), high = std::min(down, most * across), stretch = high / cell;
    const ImVec2 corner{std::round(box.min.x + label + cell * k + gap), std::round(box.min.y + label + high * k + gap)};
    operands_[2] = {corner, cell, plain_shape(c.rows, c.cols), stretch};
    if (!reads)
        return;
    const recording::Array& b = recording_.arrays[1];
    operands_[0] = {{corner.x - gap - cell * k, corner.y}, cell, plain_shape(a.rows, a.cols), stretch};
    operands_[1] = {{corner.x, corner.y - gap - high * k}, cell, plain_shape(b.rows, b.cols), stretch};
}

// Shows all rows if each gets two pixels, otherwise as many as fit, around those that the step touches.
void FlowScene::place_memory(const Theme& theme, const draw::Box& box)
{
    const float label = scene_label_room(theme), room = std::max(1.0f, box.height() - label);
    const uint32_t rows = std::max(facts_.lines_below && !few_rows() ? 32u : 1u, facts_.rows.rows());
    const float fit = room / static_cast<float>(rows);
    const bool whole_tiles =
        facts_.transfers.box || facts_.transfers.operands; // show tiles whole, because no single words move
    row_height_ = std::clamp(fit, whole_tiles ? 0.5f : 2.0f, highest_row(theme));
    rows_shown_ = std::min(rows, static_cast<uint32_t>(room / row_height_));
    if (rows_shown_ < rows) {
        uint32_t first = rows, last = 0;
        for (const Transfer& transfer : facts_.transfers.transfers)
            for (const Endpoint& end : {transfer.from, transfer.to})
                if (const auto place = facts_.rows.place(end)) {
                    first = std::min(first, place->row);
                    last = std::max(last, place->row);
                }
        if (first <= last) {
            const uint32_t spare = rows_shown_ > last - first ? (rows_shown_ - (last - first)) / 2 : 0;
            first_row_ = std::min(first > spare ? first - spare : 0, rows - rows_shown_);
        }
    }
    const float top = std::round(box.min.y + label);
    memory_ = {{box.min.x, top}, {box.max.x, top + row_height_ * static_cast<float>(rows_shown_)}};
}

draw::Box FlowScene::lane(uint32_t lane) const
{
    const float width = lanes_.width() / lane_count, x = lanes_.min.x + width * static_cast<float>(lane);
    return {{x, lanes_.min.y}, {x + width - 1, lanes_.max.y}};
}

float FlowScene::row_top(uint32_t row) const
{
    const float y = memory_.min.y + row_height_ * (static_cast<float>(row) - static_cast<float>(first_row_));
    return row_height_ < 2 ? y : std::round(y); // rows begin at whole pixels
}

std::optional<draw::Box> FlowScene::words(const WordPlace& place, uint32_t count) const
{
    if (place.row < first_row_ || place.row >= first_row_ + rows_shown_)
        return {};
    const float width = memory_.width() / lane_count;
    const float x = memory_.min.x + width * static_cast<float>(place.word), y = row_top(place.row),
                below = row_top(place.row + 1);
    return draw::Box{{x, y}, {std::min(memory_.max.x, x + width * static_cast<float>(count)) - 1, below - 1}};
}

std::optional<draw::Box> FlowScene::words(const Endpoint& first, uint32_t bytes) const
{
    const auto place = facts_.rows.place(first);
    return place ? words(*place, std::max(1u, bytes / 4)) : std::nullopt;
}

std::optional<draw::Box> FlowScene::words(const HeldWords& held) const
{
    const float width = memory_.width() / lane_count,
                left = memory_.min.x + width * static_cast<float>(held.first.word);
    const float top = std::max(memory_.min.y, row_top(held.first.row)),
                bottom = std::min(memory_.max.y, row_top(held.first.row + held.rows));
    return top < bottom ? std::optional(draw::Box{{left, top}, {left + width * static_cast<float>(held.words), bottom}})
                        : std::nullopt;
}

std::optional<ImVec2> FlowScene::point(const Endpoint& end, uint32_t bytes) const
{
    if (end.in_lane)
        return lane(end.lane).middle();
    if (facts_.rows.place(end)) {
        const auto box = words(end, bytes);
        return box ? std::optional(box->middle()) : std::nullopt;
    }
    if (facts_.lines_below || end.array >= operands_.size())
        return {};
    const auto cell = facts_.tiling->elements()[end.array].at(end.offset);
    if (!cell)
        return {};
    const MatrixFrame& frame = operands_[end.array];
    const Cell at = map_place(frame.shape, *cell);
    const uint32_t element = std::max(1u, recording_.arrays[end.array].element_bytes);
    return ImVec2{frame.corner.x + frame.cell * (static_cast<float>(at.col) + static_cast<float>(bytes / element) / 2),
                  frame.corner.y + frame.cell_height() * (static_cast<float>(at.row) + 0.5f)};
}

std::optional<uint32_t> FlowScene::lane_under(ImVec2 point) const
{
    if (!lanes_.holds(point))
        return {};
    return std::min(31u, static_cast<uint32_t>((point.x - lanes_.min.x) / (lanes_.width() / lane_count)));
}

std::optional<WordPlace> FlowScene::word_under(ImVec2 point) const
{
    if (!memory_.holds(point))
        return {};
    return WordPlace{first_row_ + static_cast<uint32_t>((point.y - memory_.min.y) / row_height_),
                     std::min(31u, static_cast<uint32_t>((point.x - memory_.min.x) / (memory_.width() / lane_count)))};
}

} // namespace viz
