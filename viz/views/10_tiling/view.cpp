// Tiling: which parts of A, B and C a block works on, phase after phase over K.
#include "viz/view.h"

#include "viz/draw/columns.h"
#include "viz/text/templates.h"
#include "viz/views/10_tiling/barrier_picture.h"
#include "viz/views/10_tiling/messages.h"
#include "viz/views/10_tiling/pipeline_lanes.h"
#include "viz/views/10_tiling/tiling_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viz {

std::unique_ptr<View> make_tiling_view();

namespace {

using recording::Recording;

// Kept while the block stays: all its accesses are looked through.
struct GuardCache {
    std::shared_ptr<const recording::Recording> recording;
    const recording::BlockTrace* block = nullptr;
    GuardUse use;

    const GuardUse& of(const std::shared_ptr<const recording::Recording>& wanted, const recording::BlockTrace& of_block)
    {
        if (recording != wanted || block != &of_block) {
            recording = wanted;
            block = &of_block;
            use = guard_use(of_block);
        }
        return use;
    }
};

class TilingView final : public View {
public:
    std::string_view name() const override { return "tiling"; }
    std::string_view title() const override { return "Tiling"; }
    ViewGroup group() const override { return ViewGroup::flow; }
    std::vector<Numbers> numbers() const override
    {
        return {{Numbers::How::recorded, "accesses, owners"}, {Numbers::How::derived, "loads per result"}};
    }
    bool settled() const override { return facts[0].settled() && facts[1].settled(); }
    void draw(ViewFrame& frame) override;

private:
    // One subject while it is drawn.
    struct Part {
        ViewFrame& frame;
        const Subject& subject;
        Focus focus;
        TilingFacts& facts;
        ImDrawList* list;
        bool low = false; // little room for pictures
    };

    void draw_part(ViewFrame& frame, const Subject& subject, TilingFacts& facts, draw::Box box);
    void draw_operands(Part& part, const TilingLayout& layout);
    void draw_operand(Part& part, const MatrixFrame& matrix, uint8_t array);
    void draw_result(Part& part, const MatrixFrame& matrix);
    void draw_side(Part& part, const draw::Box& box);
    float draw_strip(Part& part, const draw::Box& box);
    float draw_lanes(Part& part, const draw::Box& box);
    float draw_tile(Part& part, uint8_t array, ImVec2 place, float width, float height);
    void point_at(Part& part, const MatrixFrame& matrix, uint8_t array);
    static Message point_in_tile(const Part& part, uint8_t array, const Cell& cell);

    GuardCache guards[2];
    TilingFacts facts[2];
};

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
    // What is computed on, and, in a load phase, what is brought meanwhile.
    if (phase.kind != PhaseKind::store && (phase.kind != PhaseKind::load || kept.loads_ahead()))
        fill_cells(part.list, matrix, placed(matrix, kept.slice[array]),
                   phase_colour(theme, phase.kind == PhaseKind::load ? PhaseKind::compute : phase.kind), 2);
    if (phase.kind == PhaseKind::load && array < kept.now.arrays.size())
        fill_cells(part.list, matrix, placed(matrix, kept.now.arrays[array].read), theme.load, 2);
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

// What the cell of a shared tile holds, and where it lies.
Message TilingView::point_in_tile(const Part& part, uint8_t array, const Cell& cell)
{
    const Recording& recording = *part.focus.recording;
    const Origin origin = part.facts.tiling->contents().at(array, cell);
    const uint64_t byte = recording.arrays[array].offset_of(cell.row, cell.col);
    Message content{origin.kind == Origin::Kind::outside ? "tiling.holds_outside" : "tiling.holds_nothing"};
    if (origin.kind == Origin::Kind::element)
        content = {"tiling.holds_element",
                   {{"element", element_name(recording.arrays[origin.array].name, {origin.cell})}}};
    return {"tiling.point_shared",
            {{"stage", part.subject.slug},
             {"element", element_name(recording.arrays[array].name, {cell})},
             {"content", content},
             {"byte", byte},
             {"bank", model::bank_of(byte)}}};
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
    const std::string name = element_name(recording.arrays[array].name, {*element});
    const bool shared = recording.arrays[array].space == recording::Space::shared;
    if (array != 2) {
        part.frame.hint = plain(shared ? point_in_tile(part, array, *element)
                                       : Message{"tiling.point", {{"stage", part.subject.slug}, {"element", name}}});
        return;
    }
    const auto owner = owner_of(recording, element->row, element->col);
    part.frame.hint =
        plain(owner ? Message{"tiling.point_owned",
                              {{"stage", part.subject.slug}, {"element", name}, {"owner", describe(*owner, recording)}}}
                    : Message{"tiling.point_unowned", {{"stage", part.subject.slug}, {"element", name}}});
    if (!ImGui::IsItemClicked() || !owner)
        return;
    part.frame.selection.c = {element->row, element->col};
    part.frame.selection.warp = owner->warp;
    part.frame.selection.lane = owner->lane;
    if (const auto recorded = recorded_block(*part.frame.first.recording, owner->block))
        part.frame.selection.block = *recorded;
}

void TilingView::draw_operands(Part& part, const TilingLayout& layout)
{
    const Theme& theme = part.frame.theme;
    for (uint8_t array = 0; array < 3 && array < part.focus.recording->arrays.size(); ++array) {
        const MatrixFrame& matrix = layout.operands[array];
        if (matrix.shape.rows == 0)
            continue; // the operation has no such operand
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
    const std::string bytes = plain(Message{"tiling.tile_bytes", {{"bytes", tile.bytes}}});
    if (named + draw::measure(theme.text, bytes).x <= width)
        draw::text(part.list, theme.text, {matrix.corner.x + named, place.y}, theme.ink_quiet, bytes);
    draw_matrix(part.list, matrix, theme);
    const std::vector<CellRect>* filled = part.facts.filled[array].data();
    fill_cells(part.list, matrix, filled[TilingFacts::older], draw::mix(theme.panel, theme.ink, 0.15f), 1);
    fill_cells(part.list, matrix, filled[TilingFacts::meanwhile], theme.compute, 1);
    fill_cells(part.list, matrix, filled[TilingFacts::ahead], draw::mix(theme.panel, theme.load, 0.45f), 1);
    fill_cells(part.list, matrix, filled[TilingFacts::outside], draw::mix(theme.panel, theme.ink, 0.08f), 1);
    fill_cells(part.list, matrix, filled[TilingFacts::current_slice], phase_colour(theme, part.facts.current().kind),
               1);
    if (part.facts.races)
        draw_races(part.list, matrix, *part.facts.races, array, theme,
                   &part.subject == &part.frame.first ? part.frame.marks : nullptr);
    fill_cells(part.list, matrix, cover(part.facts.lit.all[array]), theme.ink, 2);
    fill_cells(part.list, matrix, cover(part.facts.lit.lane[array]), theme.accent(part.subject.accent), 3);
    point_at(part, matrix, array);
    return label + matrix.box().height();
}

float TilingView::draw_strip(Part& part, const draw::Box& box)
{
    const Theme& theme = part.frame.theme;
    const recording::Access& access = part.focus.access();
    draw::text(part.list, theme.mono_bold, box.min, theme.ink, fmt::format("lanes of warp {}", part.focus.warp_index));
    const float label = label_height(theme);
    const uint32_t mask = access.op == recording::Op::barrier ? 0 : access.mask;
    const LaneStrip strip{mask, part.frame.selection.lane, theme.accent(part.subject.accent)};
    if (const auto lane = draw_lane_strip(strip, theme, {box.min.x, box.min.y + label}, box.width())) {
        part.frame.hint = plain(lane_message(part.subject.slug, part.focus, part.facts, *lane));
        if (ImGui::IsItemClicked())
            part.frame.selection.lane = *lane;
    }
    return label + lane_strip_height(theme, box.width());
}

void TilingView::draw_side(Part& part, const draw::Box& box)
{
    const Theme& theme = part.frame.theme;
    float y = box.min.y;
    if (!part.facts.races || !part.low) // at a barrier no lane does anything, and the tiles are what counts
        y += draw_strip(part, box) + theme.px(14);
    const std::vector<uint8_t> tiles = tiles_of(*part.focus.recording);
    const bool below = tiles_stacked(*part.focus.recording, box.width(), box.height());
    // A ring of stages below each other makes two columns, A's and B's, where one would leave no height.
    const std::size_t columns = below ? (tiles.size() >= 6 ? 2 : 1) : std::max<std::size_t>(1, tiles.size());
    const std::size_t rows = std::max<std::size_t>(1, (tiles.size() + columns - 1) / columns);
    const float gap = theme.px(14);
    const auto share = [gap](float whole, std::size_t count) {
        return (whole - gap * static_cast<float>(count - 1)) / static_cast<float>(count);
    };
    const float width = share(box.width(), columns), height = share(box.max.y - y, rows);
    for (std::size_t column = 0, i = 0; column < columns; ++column) {
        const float x = box.min.x + static_cast<float>(column) * (width + gap);
        float top = y;
        for (std::size_t row = 0; row < rows && i < tiles.size(); ++row, ++i)
            top += draw_tile(part, tiles[i], {x, top}, width - 2, height - 2) + gap;
    }
}

// The block's copies, waits and computation as lanes of time, where it has any; returns the height.
float TilingView::draw_lanes(Part& part, const draw::Box& box)
{
    const TilingFacts& kept = part.facts;
    if (kept.pipeline.roles.empty() || (part.facts.races && part.low))
        return 0;
    const bool first = &part.subject == &part.frame.first;
    const PipelineLanes lanes{
        kept.pipeline,   part.facts.pipeline_first, kept.tiling->contents().order(),   part.focus.warp_index,
        part.focus.step, part.frame.theme,          first ? part.frame.marks : nullptr};
    const float words = Prose(part.frame.theme).write(pipeline_messages(lanes)).draw(part.list, box.min, box.width()) +
                        part.frame.theme.px(3);
    const auto step = draw_pipeline(lanes, {{box.min.x, box.min.y + words}, box.max}, part.frame.hint);
    if (step && first)
        part.frame.selection.step = *step;
    return words + pipeline_height(lanes) + part.frame.theme.px(8);
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
        frame.hint = plain(lane_message(subject.slug, part.focus, kept, frame.selection.lane));
    const auto draw = [&](const Prose& prose, float gap) {
        y += prose.draw(part.list, {box.min.x, y}, box.width()) + theme.px(gap);
    };
    draw(Prose(theme).swatch(phase_colour(theme, kept.current().kind)).write(phase_messages(part.focus, kept)), 2);
    draw(Prose(theme).write(access_messages(part.focus)), 2);
    draw(Prose(theme).legend(tiling_legend(theme, subject, kept)), 8);
    GuardCache& cache = guards[&subject == &frame.first ? 0 : 1];
    const Prose edges = Prose(theme).write(edge_message(cache.of(kept.recording, *part.focus.block)));
    box.max.y -= edges.height(box.width()) + theme.px(8);
    part.low = box.max.y - y < theme.px(360);
    box.min.y = y + draw_lanes(part, {{box.min.x, y}, box.max});
    if (box.height() < theme.px(260)) // the view scrolls
        box.max.y = box.min.y + theme.px(260);
    const TilingLayout layout = tiling_layout(theme, *part.focus.recording, box);
    draw_operands(part, layout);
    draw_side(part, layout.side);
    // Below the picture, which a low window would push out of sight.
    const float top = box.max.y + theme.px(8), height = edges.draw(part.list, {box.min.x, top}, box.width());
    ImGui::SetCursorScreenPos({box.min.x, top + height - 1});
    ImGui::Dummy({1, 1});
}

void TilingView::draw(ViewFrame& frame)
{
    ImGui::BeginChild("tiling view", {0, 0}, false);
    draw::in_columns(frame.theme, frame.second != nullptr, 0, [&](int i, const draw::Box& box) {
        draw_part(frame, i == 0 ? frame.first : *frame.second, facts[i], box);
    });
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_tiling_view()
{
    return std::make_unique<TilingView>();
}

} // namespace viz
