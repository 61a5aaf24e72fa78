// Tiling: which parts of A, B and C a block works on, phase after phase over K.
#include "viz/view.h"

#include "viz/analysis/counted.h"
#include "viz/draw/columns.h"
#include "viz/draw/heading.h"
#include "viz/text/templates.h"
#include "viz/views/10_tiling/barrier_picture.h"
#include "viz/views/10_tiling/k_strip.h"
#include "viz/views/10_tiling/messages.h"
#include "viz/views/10_tiling/moves_picture.h"
#include "viz/views/10_tiling/operands_picture.h"
#include "viz/views/10_tiling/pipeline_lanes.h"
#include "viz/views/10_tiling/product_picture.h"
#include "viz/views/10_tiling/tiling_layout.h"

#include <algorithm>
#include <cmath>

namespace viz {

std::unique_ptr<View> make_tiling_view();

namespace {

using recording::Recording;

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
    // One stage while it is drawn.
    struct Part {
        ViewFrame& frame;
        const ShownStage& stage;
        Focus focus;
        TilingFacts& facts;
        ImDrawList* list;
        Colour accent = 0;
        Marks* marks = nullptr; // of the first stage

        bool first() const { return &stage == &frame.first; }
        std::size_t tick() const { return facts.tiling->contents().order().tick(focus.warp_index, focus.step); }
    };

    void draw_part(ViewFrame& frame, const ShownStage& stage, TilingFacts& facts, draw::Box box);
    static float heading_height(const ViewFrame& frame, float width);
    static void explain(const Part& part);
    static float draw_strip(Part& part, const draw::Box& box);
    static float draw_lanes_of_time(Part& part, const draw::Box& box);
    static bool merged(const Part& part);
    static void draw_operands(Part& part, const TilingLayout& layout);
    static void draw_tile(Part& part, const TileFrame& tile);
    static float warp_height(const Part& part, float width);
    static void draw_warp(Part& part, const draw::Box& box);
    static void point_at(Part& part, const MatrixFrame& matrix, uint8_t array);
    static Message point_in_tile(const Part& part, uint8_t array, const Cell& cell);

    TilingFacts facts[3];
};

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
            {{"element", element_name(recording.arrays[array].name, {cell})},
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
    if (array != 2) {
        part.frame.point_out(recording.arrays[array].space == recording::Space::shared
                                 ? point_in_tile(part, array, *element)
                                 : Message{"tiling.point", {{"element", name}}});
        return;
    }
    const auto owner = owner_of(recording, element->row, element->col);
    part.frame.point_out(
        owner ? Message{"tiling.point_owned", {{"element", name}, {"owner", describe(*owner, recording)}}}
              : Message{"tiling.point_unowned", {{"element", name}}});
    if (!ImGui::IsItemClicked() || !owner)
        return;
    part.frame.selection.c = {element->row, element->col};
    part.frame.selection.warp = owner->warp;
    part.frame.selection.lane = owner->lane;
    if (const auto recorded = recorded_block(*part.frame.first.recording, owner->block))
        part.frame.selection.block = *recorded;
}

// All k-tiles; a click goes to where one is computed, or to the block that computes it.
float TilingView::draw_strip(Part& part, const draw::Box& box)
{
    const Theme& theme = part.frame.theme;
    const TilingFacts& kept = part.facts;
    if (kept.k_tiles.size() < 2)
        return 0;
    const float height = theme.px(22);
    const KTile* under = draw_k_strip({kept.k_tiles, tile_states(kept.pipeline, part.tick()), theme, part.marks},
                                      {box.min, {box.max.x, box.min.y + height}});
    if (under != nullptr) {
        Value::Nested slice;
        if (split(kept.k_tiles) && under->slice)
            slice.push_back({"tiling.k_slice", {{"slice", index(*under->slice)}, {"recorded", under->recorded}}});
        part.frame.point_out(
            {"tiling.k_tile",
             {{"first", index(under->first)}, {"last", index(under->first + under->count - 1)}, {"slice", slice}}});
        if (ImGui::IsItemClicked() && under->number >= 0) {
            if (const auto step = step_of_tile(kept.pipeline, part.focus.warp_index, under->number);
                step && part.first())
                part.frame.selection.step = *step;
        } else if (ImGui::IsItemClicked() && under->slice) {
            recording::Index3 block = part.focus.block->block;
            block.z = *under->slice;
            if (const auto recorded = recorded_block(*part.frame.first.recording,
                                                     linear_of(block, part.frame.first.recording->launch.grid)))
                part.frame.selection.block = *recorded;
        }
    }
    return height + theme.px(6);
}

// The block's copies, waits and computation as lanes of time, where it has any.
float TilingView::draw_lanes_of_time(Part& part, const draw::Box& box)
{
    const TilingFacts& kept = part.facts;
    const Theme& theme = part.frame.theme;
    if (kept.pipeline.roles.empty())
        return 0;
    const PipelineLanes lanes{kept.pipeline,
                              part.facts.pipeline_first,
                              kept.tiling->contents().order(),
                              part.focus.warp_index,
                              part.focus.step,
                              theme,
                              pipeline_row(kept.pipeline, theme, box.height() * 0.24f),
                              kept.recording->arrays[2].name,
                              !kept.recording->executed || kept.recording->executed->multiplies,
                              kept.computes,
                              part.marks};
    const PipelinePointed pointed = draw_pipeline(lanes, box);
    if (pointed.over)
        part.frame.point_out(*pointed.over);
    if (pointed.step && part.first())
        part.frame.selection.step = *pointed.step;
    part.frame.explain(pipeline_messages(lanes));
    return pipeline_height(lanes) + theme.px(4);
}

// Whether the compiler made fewer loads of shared memory than are written: then reads per k are those of the source.
bool TilingView::merged(const Part& part)
{
    const Recording& recording = *part.focus.recording;
    return merged_share(recording, counted_at(part.frame.board.of(recording), recording.problem)).has_value();
}

void TilingView::draw_operands(Part& part, const TilingLayout& layout)
{
    const Theme& theme = part.frame.theme;
    const OperandsPicture picture{part.facts, theme, part.accent, part.focus.warp_index, part.frame.selection.c,
                                  part.marks};
    for (uint8_t array = 0; array < 3; ++array) {
        const MatrixFrame& matrix = layout.operands[array];
        if (matrix.shape.rows == 0)
            continue; // the operation has no such operand
        draw_operand(part.list, picture, matrix, array);
        point_at(part, matrix, array);
    }
    if (layout.product.height() < theme.px(60))
        return;
    if (!part.facts.product) {
        if (part.facts.thread_tile.empty() && part.focus.recording->problem.K > 1)
            Prose(theme)
                .write({"tiling.no_results", {{"lane", index(part.frame.selection.lane)}}})
                .draw(part.list, layout.product.min, layout.product.width());
        return;
    }
    const ThreadProduct& product = *part.facts.product;
    const auto under = draw_product(part.list, {product, theme, part.accent, merged(part), part.marks}, layout.product);
    if (under)
        part.frame.point_out(product_message(product, *under));
}

void TilingView::draw_tile(Part& part, const TileFrame& placed_tile)
{
    const Theme& theme = part.frame.theme;
    const uint8_t array = placed_tile.array;
    const MatrixFrame& matrix = placed_tile.frame;
    draw_matrix(part.list, matrix, theme);
    mark(part.marks, "tile " + part.focus.recording->arrays[array].name, matrix.box().min, matrix.box().max);
    const std::vector<CellRect>* filled = part.facts.filled[array].data();
    fill_cells(part.list, matrix, filled[TilingFacts::older], mix(theme.panel, theme.ink, 0.22f), 1);
    fill_cells(part.list, matrix, filled[TilingFacts::meanwhile], theme.compute, 1);
    fill_cells(part.list, matrix, filled[TilingFacts::ahead], mix(theme.panel, theme.load, 0.45f), 1);
    fill_cells(part.list, matrix, filled[TilingFacts::outside], mix(theme.panel, theme.ink, 0.16f), 1);
    fill_cells(part.list, matrix, filled[TilingFacts::current_slice], phase_colour(theme, part.facts.current().kind),
               1);
    if (part.facts.races)
        draw_races(part.list, matrix, *part.facts.races, array, theme, part.marks);
    fill_cells(part.list, matrix, cover(part.facts.lit.all[array]), part.accent, 2);
    fill_cells(part.list, matrix, cover(part.facts.lit.lane[array]), theme.ink, 3);
    draw_held_values(part.list, {part.facts, theme, part.accent, 0, {}, part.marks}, matrix, array);
    point_at(part, matrix, array);
}

float TilingView::warp_height(const Part& part, float width)
{
    return lane_strip_height(part.frame.theme, width - part.frame.theme.px(66));
}

// The lanes of the selected warp that take part in this step.
void TilingView::draw_warp(Part& part, const draw::Box& box)
{
    const Theme& theme = part.frame.theme;
    const recording::Access& access = part.focus.access();
    const std::string name = plain(Message{"tiling.warp_label", {{"warp", part.focus.warp_index}}});
    draw::text(part.list, theme.mono_bold, {box.min.x, box.min.y + theme.px(2)}, theme.ink, name);
    const uint32_t mask = access.op == recording::Op::barrier ? 0 : access.mask;
    const uint32_t threads = lanes_with_thread(part.focus.recording->launch, part.focus.warp_index);
    const LaneStrip strip{mask, part.frame.selection.lane, part.accent, threads};
    const ImVec2 place{box.min.x + theme.px(66), box.min.y};
    if (const auto lane = draw_lane_strip(strip, theme, place, box.max.x - place.x)) {
        part.frame.point_out(lane_message(part.stage.slug, part.focus, part.facts, *lane));
        if (ImGui::IsItemClicked())
            part.frame.selection.lane = *lane;
    }
}

// What was a paragraph above the picture once.
void TilingView::explain(const Part& part)
{
    if (part.frame.second != nullptr)
        part.frame.explain({{"tiling.of_stage", {{"stage", part.stage.slug}}}});
    part.frame.explain(phase_messages(part.focus, part.facts));
    part.frame.explain(access_messages(part.focus));
    part.frame.explain({edge_message(part.facts.guards)});
}

// The same at every step and for both stages, or the pictures would jump.
float TilingView::heading_height(const ViewFrame& frame, float width)
{
    const Theme& theme = frame.theme;
    float lines = 1;
    for (const ShownStage* stage : {&frame.first, frame.second, frame.third})
        if (stage != nullptr && draw::measure(theme.heading, stage->slug).x + theme.px(290) > width)
            lines = 2;
    return lines * draw::measure(theme.heading, "0").y + theme.px(6);
}

void TilingView::draw_part(ViewFrame& frame, const ShownStage& stage, TilingFacts& kept, draw::Box box)
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const bool first = &stage == &frame.first;
    Part part{frame,
              stage,
              focus_on(stage, frame.first, frame.selection),
              kept,
              list,
              theme.accent(stage.accent),
              first ? frame.marks : nullptr};
    if (!part.focus.warp || part.focus.recording->arrays.size() < 3) {
        const float y = box.min.y + stage_heading(theme, stage).draw(list, box.min, box.width()) + theme.px(2);
        Prose(theme).strong(part.focus.why).draw(list, {box.min.x, y}, box.width());
        return;
    }
    kept.update(stage, part.focus, frame.selection.lane);
    if (first)
        frame.hint = plain(lane_message(stage.slug, part.focus, kept, frame.selection.lane));
    box.min.y += std::max(draw::stage_headline(frame, stage, headline(kept), box), heading_height(frame, box.width()));
    explain(part);
    mark_picture(frame.marks, stage.slug, box.min, box.max);
    const float whole = box.height();
    box.min.y += draw_strip(part, box);
    box.min.y += draw_lanes_of_time(part, {box.min, {box.max.x, box.min.y + whole}});
    const float below = warp_height(part, box.width());
    draw_warp(part, {{box.min.x, box.max.y - below}, box.max});
    box.max.y -= below + theme.px(6);
    const TilingLayout layout = tiling_layout(theme, *part.focus.recording, box);
    draw_operands(part, layout);
    for (const TileFrame& tile : layout.tiles)
        draw_tile(part, tile);
    const float lanes = box.width() - theme.px(66);
    std::optional<ImVec2> above_lane;
    if (lane_strip_height(theme, lanes) < 2 * ImGui::GetTextLineHeight() + theme.px(8)) // in one row
        above_lane =
            lane_strip_top(theme, {box.min.x + theme.px(66), box.max.y + theme.px(6)}, lanes, frame.selection.lane);
    draw_moves(list, {kept, part.focus, layout, theme, part.accent, frame.selection.lane, above_lane, part.marks});
    for (uint8_t array = 0; array < 3; ++array)
        if (layout.operands[array].shape.rows > 0)
            draw_label(list, theme, layout.operands[array], part.focus.recording->arrays[array]);
    for (const TileFrame& tile : layout.tiles)
        draw_label(list, theme, tile.frame, part.focus.recording->arrays[tile.array]);
}

void TilingView::draw(ViewFrame& frame)
{
    ImGui::BeginChild("tiling view", {0, 0}, false, ImGuiWindowFlags_NoScrollbar);
    draw::in_columns(frame.theme, frame.count(), 0,
                     [&](std::size_t i, const draw::Box& box) { draw_part(frame, frame.stage(i), facts[i], box); });
    ImGui::EndChild();
}

} // namespace

std::unique_ptr<View> make_tiling_view()
{
    return std::make_unique<TilingView>();
}

} // namespace viz
