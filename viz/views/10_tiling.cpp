// Tiling: which parts of A, B and C a block works on, phase after phase over K.
#include "viz/view.h"

#include "viz/analysis/figures.h"
#include "viz/views/matrix_picture.h"
#include "viz/views/tiling_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

std::unique_ptr<View> make_tiling_view();

namespace {

using recording::Recording;

// Where the matrices and the rest of one subject are drawn.
struct Layout {
    MatrixFrame operands[3]; // A, B, C
    draw::Box side;          // for the lanes and the shared tiles
};

class TilingView final : public View {
public:
    std::string_view name() const override { return "tiling"; }
    std::string_view title() const override { return "Tiling"; }
    void draw(ViewFrame& frame) override;

private:
    // One subject while it is drawn.
    struct Part {
        ViewFrame& frame;
        const Subject& subject;
        Focus focus;
        TilingFacts& facts;
        ImDrawList* list;
    };

    void draw_part(ViewFrame& frame, const Subject& subject, TilingFacts& facts, draw::Box box);
    Layout lay_out(const Part& part, const draw::Box& box) const;
    void draw_operands(Part& part, const Layout& layout);
    void draw_operand(Part& part, const MatrixFrame& matrix, uint8_t array);
    void draw_result(Part& part, const MatrixFrame& matrix);
    void draw_side(Part& part, const draw::Box& box);
    float draw_tile(Part& part, uint8_t array, ImVec2 place, float width, float height);
    void point_at(Part& part, const MatrixFrame& matrix, uint8_t array);

    TilingFacts facts[2];
};

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
bool stacked(const Recording& recording, float width, float height)
{
    const std::vector<uint8_t> tiles = tiles_of(recording);
    return height > width * 0.6f || std::all_of(tiles.begin(), tiles.end(), [&](uint8_t i) {
               return recording.arrays[i].cols > 2 * recording.arrays[i].rows;
           });
}

// What the lanes and the tiles need below the matrices to be as wide as the box.
float side_height(const Theme& theme, const Recording& recording, float width)
{
    const std::vector<uint8_t> tiles = tiles_of(recording);
    const bool one_below_another = stacked(recording, width, 0);
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
Layout corner_layout(const Theme& theme, const Recording& recording, const draw::Box& box)
{
    const recording::Problem& p = recording.problem;
    const float label = label_height(theme), gap = theme.px(14);
    const float name = draw::measure(theme.mono_bold, fmt::format("A {} x {}", p.M, p.K)).x;
    const auto m = static_cast<float>(p.M), n = static_cast<float>(p.N), k = static_cast<float>(p.K);
    const bool beside = box.width() > 1.35f * box.height();
    const float below = std::min(side_height(theme, recording, box.width()), box.height() * 0.45f);
    const float width = beside ? box.width() * 0.58f : box.width(), height = box.height() - (beside ? 0 : below);
    float cell = std::min((width - gap - 2) / (k + n), (height - 2 * label - 4) / (k + m));
    cell = cell >= 2 ? std::floor(cell) : std::max(cell, 0.01f);
    Layout layout;
    const float across = std::max(cell * k, name) + gap;
    const ImVec2 corner{std::round(box.min.x + across) + 2, std::round(box.min.y + 2 * label + cell * k)};
    layout.operands[0] = {{std::round(corner.x - gap - cell * k), corner.y}, cell, plain_shape(p.M, p.K)};
    layout.operands[1] = {{corner.x, std::round(box.min.y + label)}, cell, plain_shape(p.K, p.N)};
    layout.operands[2] = {corner, cell, plain_shape(p.M, p.N)};
    const draw::Box c = layout.operands[2].box();
    layout.side = beside ? draw::Box{{c.max.x + theme.px(32), box.min.y}, box.max}
                         : draw::Box{{box.min.x, c.max.y + theme.px(12)}, box.max};
    return layout;
}

// Vectors: A + B = C side by side, or one below the other, each wrapped into rows.
Layout vector_layout(const Theme& theme, const Recording& recording, const draw::Box& box)
{
    const MapShape shape = map_shape(recording);
    const float label = label_height(theme), gap = theme.px(28), strip = theme.px(90);
    const auto rows = static_cast<float>(std::max(1u, shape.rows)), cols = static_cast<float>(std::max(1u, shape.cols));
    const float cell =
        std::min({(box.width() - 2 * gap) / (3 * cols), (box.height() - label - strip) / rows, theme.px(24)});
    Layout layout;
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

Layout TilingView::lay_out(const Part& part, const draw::Box& box) const
{
    const bool vectors = part.focus.recording->arrays.size() == 3 && map_shape(*part.focus.recording).wrapped &&
                         part.focus.recording->problem.K == 1;
    return vectors ? vector_layout(part.frame.theme, *part.focus.recording, box)
                   : corner_layout(part.frame.theme, *part.focus.recording, box);
}

void TilingView::draw_operand(Part& part, const MatrixFrame& matrix, uint8_t array)
{
    const Theme& theme = part.frame.theme;
    const TilingFacts& kept = part.facts;
    const Phase& phase = kept.current();
    if (const auto& band = kept.tiling->bands()[array].bounds) {
        fill_cells(part.list, {matrix.corner, matrix.cell, plain_shape(matrix.shape.rows, matrix.shape.cols)},
                   matrix.shape.wrapped ? std::vector<CellRect>() : std::vector<CellRect>{*band},
                   draw::mix(theme.panel, theme.ink, 0.08f), 2);
        outline_cells(part.list, matrix, placed(matrix, std::vector<CellRect>{*band}), theme.ink_faint, 1);
    }
    const PhaseTouch& source = phase.kind == PhaseKind::load ? kept.now : kept.slice;
    const bool in_use = phase.kind != PhaseKind::store && (phase.kind == PhaseKind::load || kept.load_phase);
    if (in_use && array < source.arrays.size())
        fill_cells(part.list, matrix, placed(matrix, source.arrays[array].read), phase_colour(theme, phase.kind), 2);
    fill_cells(part.list, matrix, kept.walk[array], theme.compute, 2);
}

void TilingView::draw_result(Part& part, const MatrixFrame& matrix)
{
    const Theme& theme = part.frame.theme;
    const TilingFacts& kept = part.facts;
    const Colour accent = theme.accent(part.subject.accent);
    fill_cells(part.list, matrix, placed(matrix, kept.tiling->tile()), draw::mix(theme.panel, accent, 0.22f), 2);
    fill_cells(part.list, matrix, placed(matrix, kept.warp_tile), draw::mix(theme.panel, accent, 0.5f), 2);
    fill_cells(part.list, matrix, placed(matrix, kept.thread_tile), accent, 3);
    outline_cells(part.list, matrix, placed(matrix, kept.tiling->tile()), theme.ink_faint, 1);
    if (const auto& c = part.frame.selection.c; c && c->first < part.focus.recording->arrays[2].rows)
        outline_cells(part.list, matrix, placed(matrix, std::vector<Cell>{{c->first, c->second}}), theme.warning,
                      theme.px(2));
}

void TilingView::point_at(Part& part, const MatrixFrame& matrix, uint8_t array)
{
    const draw::Box box = matrix.box();
    ImGui::SetCursorScreenPos(box.min);
    ImGui::PushID(array);
    ImGui::InvisibleButton("matrix", {std::max(1.0f, box.width()), std::max(1.0f, box.height())});
    ImGui::PopID();
    if (!ImGui::IsItemHovered())
        return;
    const auto element = matrix.element_under(ImGui::GetMousePos());
    if (!element)
        return;
    const Recording& recording = *part.focus.recording;
    std::string& hint = part.frame.hint;
    hint = fmt::format("{}: {}({}, {})", part.subject.slug, recording.arrays[array].name, element->row, element->col);
    if (recording.arrays[array].space == recording::Space::shared) {
        const Origin origin = part.facts.tiling->contents().at(array, *element);
        if (origin.kind == Origin::Kind::element)
            hint +=
                fmt::format(" holds {}({}, {})", recording.arrays[origin.array].name, origin.cell.row, origin.cell.col);
        else
            hint += origin.kind == Origin::Kind::outside ? " holds 0, for an element outside of the matrix"
                                                         : " is not filled yet";
        hint +=
            fmt::format("; byte {} of the tile, bank {}", recording.arrays[array].offset_of(element->row, element->col),
                        model::bank_of(recording.arrays[array].offset_of(element->row, element->col)));
    }
    if (array != 2)
        return;
    const auto owner = owner_of(recording, element->row, element->col);
    hint += owner ? ": computed by " + describe(*owner, recording) : ": written by no thread";
    if (!ImGui::IsItemClicked() || !owner)
        return;
    part.frame.selection.c = {element->row, element->col};
    part.frame.selection.warp = owner->warp;
    part.frame.selection.lane = owner->lane;
    if (const auto recorded = recorded_block(*part.frame.first.recording, owner->block))
        part.frame.selection.block = *recorded;
}

void TilingView::draw_operands(Part& part, const Layout& layout)
{
    const Theme& theme = part.frame.theme;
    for (uint8_t array = 0; array < 3 && array < part.focus.recording->arrays.size(); ++array) {
        const MatrixFrame& matrix = layout.operands[array];
        draw_label(part.list, theme, matrix, part.focus.recording->arrays[array]);
        draw_matrix(part.list, matrix, theme);
        array < 2 ? draw_operand(part, matrix, array) : draw_result(part, matrix);
        fill_cells(part.list, matrix, placed(matrix, part.facts.lit.all[array]), theme.ink, 2);
        fill_cells(part.list, matrix, placed(matrix, part.facts.lit.lane[array]), theme.accent(part.subject.accent), 3);
        point_at(part, matrix, array);
    }
}

float TilingView::draw_tile(Part& part, uint8_t array, ImVec2 place, float width, float height)
{
    const Theme& theme = part.frame.theme;
    const recording::Array& tile = part.focus.recording->arrays[array];
    const float label = label_height(theme);
    MatrixFrame matrix{{std::round(place.x) + 1, std::round(place.y + label)}, 1, plain_shape(tile.rows, tile.cols)};
    matrix.cell = std::min({width / static_cast<float>(std::max(1u, tile.cols)),
                            (height - label) / static_cast<float>(std::max(1u, tile.rows)), theme.px(14)});
    matrix.cell = matrix.cell >= 2 ? std::floor(matrix.cell) : std::max(matrix.cell, 0.01f);
    draw_label(part.list, theme, matrix, tile);
    const float named = draw::measure(theme.mono_bold, fmt::format("{} {} x {}  ", tile.name, tile.rows, tile.cols)).x;
    const std::string bytes = counted(tile.bytes, "byte") + " of shared memory";
    if (named + draw::measure(theme.text, bytes).x <= width)
        draw::text(part.list, theme.text, {matrix.corner.x + named, place.y}, theme.ink_quiet, bytes);
    draw_matrix(part.list, matrix, theme);
    const std::vector<CellRect>* filled = part.facts.filled[array].data();
    fill_cells(part.list, matrix, filled[TilingFacts::older], draw::mix(theme.panel, theme.ink, 0.15f), 1);
    fill_cells(part.list, matrix, filled[TilingFacts::outside], draw::mix(theme.panel, theme.ink, 0.08f), 1);
    fill_cells(part.list, matrix, filled[TilingFacts::current_slice], phase_colour(theme, part.facts.current().kind),
               1);
    fill_cells(part.list, matrix, cover(part.facts.lit.all[array]), theme.ink, 2);
    fill_cells(part.list, matrix, cover(part.facts.lit.lane[array]), theme.accent(part.subject.accent), 3);
    point_at(part, matrix, array);
    return label + matrix.box().height();
}

void TilingView::draw_side(Part& part, const draw::Box& box)
{
    const Theme& theme = part.frame.theme;
    const recording::Access& access = part.focus.access();
    float y = box.min.y;
    draw::text(part.list, theme.mono_bold, {box.min.x, y}, theme.ink,
               fmt::format("lanes of warp {}", part.focus.warp_index));
    y += label_height(theme);
    const uint32_t mask = access.op == recording::Op::barrier ? 0 : access.mask;
    const LaneStrip strip{mask, part.frame.selection.lane, theme.accent(part.subject.accent)};
    if (const auto lane = draw_lane_strip(strip, theme, {box.min.x, y}, box.width())) {
        part.frame.hint = lane_words(part.subject, part.focus, part.facts, *lane);
        if (ImGui::IsItemClicked())
            part.frame.selection.lane = *lane;
    }
    y += lane_strip_height(theme, box.width()) + theme.px(14);
    const std::vector<uint8_t> tiles = tiles_of(*part.focus.recording);
    const bool below = stacked(*part.focus.recording, box.width(), box.height());
    const auto count = static_cast<float>(std::max<std::size_t>(1, tiles.size()));
    const float gap = theme.px(14);
    const float width = below ? box.width() : (box.width() - gap * (count - 1)) / count;
    const float height = below ? (box.max.y - y - gap * (count - 1)) / count : box.max.y - y;
    float x = box.min.x;
    for (const uint8_t tile : tiles) {
        const float drawn = draw_tile(part, tile, {x, y}, width, height);
        below ? y += drawn + gap : x += width + gap;
    }
}

void TilingView::draw_part(ViewFrame& frame, const Subject& subject, TilingFacts& kept, draw::Box box)
{
    const Theme& theme = frame.theme;
    Part part{frame, subject, focus_on(subject, frame.first, frame.selection), kept, ImGui::GetWindowDrawList()};
    float y = box.min.y + stage_heading(theme, subject).draw(part.list, box.min, box.width()) + theme.px(2);
    if (!part.focus.warp || part.focus.recording->arrays.size() < 3) {
        Prose(theme).strong(part.focus.why).draw(part.list, {box.min.x, y}, box.width());
        return;
    }
    kept.update(subject, part.focus, frame.selection.lane);
    if (&subject == &frame.first)
        frame.hint = lane_words(subject, part.focus, kept, frame.selection.lane);
    y += tiling_sentence(theme, part.focus, kept).draw(part.list, {box.min.x, y}, box.width()) + theme.px(2);
    y += access_sentence(theme, part.focus).draw(part.list, {box.min.x, y}, box.width()) + theme.px(2);
    y += tiling_legend(theme, subject, kept).draw(part.list, {box.min.x, y}, box.width()) + theme.px(8);
    box.min.y = y;
    if (box.height() < theme.px(120))
        box.max.y = box.min.y + theme.px(120);
    const Layout layout = lay_out(part, box);
    draw_operands(part, layout);
    draw_side(part, layout.side);
}

void TilingView::draw(ViewFrame& frame)
{
    ImGui::BeginChild("tiling view", {0, 0}, false);
    const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float gap = frame.theme.px(28);
    const float width = frame.second ? std::floor((room.x - gap) / 2) : room.x;
    for (int i = 0; i < (frame.second ? 2 : 1); ++i) {
        const float x = corner.x + static_cast<float>(i) * (width + gap);
        ImGui::PushID(i);
        draw_part(frame, i == 0 ? frame.first : *frame.second, facts[i],
                  {{x, corner.y}, {x + width, corner.y + room.y}});
        ImGui::PopID();
    }
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_tiling_view()
{
    return std::make_unique<TilingView>();
}

} // namespace viz
