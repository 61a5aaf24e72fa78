// Tiling: which parts of A, B and C a block works on, phase after phase over K.
#include "viz/view.h"

#include "viz/analysis/counted.h"
#include "viz/draw/columns.h"
#include "viz/draw/heading.h"
#include "viz/text/templates.h"
#include "viz/views/10_tiling/k_strip.h"
#include "viz/views/10_tiling/messages.h"
#include "viz/views/10_tiling/moves_picture.h"
#include "viz/views/10_tiling/operands_picture.h"
#include "viz/views/10_tiling/pipeline_lanes.h"
#include "viz/views/10_tiling/product_picture.h"
#include "viz/views/10_tiling/tiling_layout.h"

#include <algorithm>
#include <array>

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
    void draw(ViewFrame& frame) override;

private:
    std::array<double, most_columns> pipeline_first{};
};

// What the cell of a shared tile holds, and where it lies.
Message point_in_tile(const TilingPart& part, uint8_t array, const Cell& cell)
{
    const Recording& recording = part.recording();
    const Origin origin = part.facts.tiling.contents().at(array, cell);
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

void point_at(const TilingPart& part, const MatrixFrame& matrix, uint8_t array)
{
    ImGui::PushID(array);
    const bool hovered = draw::item("matrix", matrix.box());
    ImGui::PopID();
    const auto element = hovered ? matrix.element_under(ImGui::GetMousePos()) : std::nullopt;
    if (!element)
        return;
    const Recording& recording = part.recording();
    const std::string name = element_name(recording.arrays[array].name, {*element});
    if (array != array_C) {
        part.frame.point_out(recording.arrays[array].space == recording::Space::shared
                                 ? point_in_tile(part, array, *element)
                                 : Message{"tiling.point", {{"element", name}}});
        return;
    }
    const auto owner = owner_of(recording, element->row, element->col);
    part.frame.point_out(
        owner ? Message{"tiling.point_owned", {{"element", name}, {"owner", describe(*owner, recording)}}}
              : Message{"tiling.point_unowned", {{"element", name}}});
    if (ImGui::IsItemClicked() && owner)
        select_element(part.frame, *element, owner);
}

// All k-tiles; a click goes to where one is computed, or to the block that computes it. Returns the height.
float draw_strip(const TilingPart& part, const draw::Box& box)
{
    const TilingFacts& kept = part.facts;
    if (kept.k_tiles.size() < 2)
        return 0;
    const float height = part.theme().px(22);
    if (const KTile* under = draw_k_strip(part, {box.min, {box.max.x, box.min.y + height}})) {
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
            select_block(part.frame, linear_of(block, part.frame.columns.front().recording->launch.grid));
        }
    }
    return height + part.theme().px(6);
}

// The block's copies, waits and computation as lanes of time, where it has any. Returns the height.
float draw_lanes_of_time(const TilingPart& part, const draw::Box& box)
{
    if (part.facts.pipeline.roles.empty())
        return 0;
    const PipelineLanes lanes{part, pipeline_row(part.facts.pipeline, part.theme(), box.height() * 0.24f)};
    const PipelinePointed pointed = draw_pipeline(lanes, box);
    if (pointed.over)
        part.frame.point_out(*pointed.over);
    if (pointed.step && part.first())
        part.frame.selection.step = *pointed.step;
    part.frame.explain(pipeline_messages(part));
    return pipeline_height(lanes) + part.theme().px(4);
}

// Whether the compiler made fewer loads of shared memory than are written: then reads per k are those of the source.
bool merged(const TilingPart& part)
{
    const Recording& recording = part.recording();
    return merged_share(recording, counted_at(part.frame.board.of(recording), recording.problem)).has_value();
}

void draw_operands(const TilingPart& part, const TilingLayout& layout)
{
    for (uint8_t array = 0; array < 3; ++array) {
        const MatrixFrame& matrix = layout.operands[array];
        if (matrix.shape.rows == 0)
            continue; // the operation has no such operand
        draw_operand(part, matrix, array);
        point_at(part, matrix, array);
    }
    if (layout.product.height() < part.theme().px(60))
        return;
    if (part.facts.product) {
        if (const auto under = draw_product(part, merged(part), layout.product))
            part.frame.point_out(product_message(*part.facts.product, *under));
    } else if (part.facts.thread_tile.empty() && part.recording().problem.K > 1)
        Prose(part.theme())
            .write({"tiling.no_results", {{"lane", index(part.lane())}}})
            .draw(layout.product.min, layout.product.width());
}

void draw_tile(const TilingPart& part, const TileFrame& tile)
{
    const Theme& theme = part.theme();
    const MatrixFrame& matrix = tile.frame;
    draw_matrix(part.list, matrix, theme);
    mark(part.marks(), "tile " + part.recording().arrays[tile.array].name, matrix.box());
    const std::vector<CellRect>* filled = part.facts.filled[tile.array].data();
    fill_cells(part.list, matrix, filled[TilingFacts::older], mix(theme.panel, theme.ink, 0.22f), 1);
    fill_cells(part.list, matrix, filled[TilingFacts::meanwhile], theme.compute, 1);
    fill_cells(part.list, matrix, filled[TilingFacts::ahead], mix(theme.panel, theme.load, 0.45f), 1);
    fill_cells(part.list, matrix, filled[TilingFacts::outside], mix(theme.panel, theme.ink, 0.16f), 1);
    fill_cells(part.list, matrix, filled[TilingFacts::current_slice], phase_colour(theme, part.facts.current().kind),
               1);
    draw_races(part, matrix, tile.array);
    fill_cells(part.list, matrix, cover(part.facts.lit.all[tile.array]), part.accent(), 2);
    fill_cells(part.list, matrix, cover(part.facts.lit.lane[tile.array]), theme.ink, 3);
    draw_held_values(part, matrix, tile.array);
    point_at(part, matrix, tile.array);
}

// The lanes of the selected warp that take part in this step.
void draw_warp(const TilingPart& part, const draw::Box& box)
{
    const recording::Access& access = part.focus.access();
    const uint32_t mask = access.op == recording::Op::barrier ? 0 : access.mask;
    const uint32_t threads = lanes_with_thread(part.recording().launch, part.focus.warp_index);
    const LaneStrip strip{plain({"tiling.warp_label", {{"warp", part.focus.warp_index}}}), mask, part.lane(),
                          part.accent(), threads};
    if (const auto lane = draw_lane_strip(strip, part.theme(), box)) {
        part.frame.point_out(lane_message(part.stage.slug, part.focus, part.facts, *lane));
        if (ImGui::IsItemClicked())
            part.frame.selection.lane = *lane;
    }
}

// What was a paragraph above the picture once.
void explain(const TilingPart& part)
{
    if (part.frame.comparing())
        part.frame.explain({{"tiling.of_stage", {{"stage", part.stage.slug}}}});
    part.frame.explain(phase_messages(part.focus, part.facts));
    part.frame.explain(access_messages(part.focus));
    part.frame.explain({edge_message(part.facts.guards)});
}

// The same at every step and for both stages, or the pictures would jump.
float heading_height(const ViewFrame& frame, float width)
{
    const Theme& theme = frame.theme;
    float lines = 1;
    for (std::size_t i = 0; i < frame.columns.size(); ++i)
        if (draw::measure(theme.heading, frame.columns[i].slug).x + theme.px(290) > width)
            lines = 2;
    return lines * draw::line_height(theme.heading) + theme.px(6);
}

void draw_stage(const StagePart& where, double& pipeline_first)
{
    const Theme& theme = where.theme();
    const Focus focus = focus_on(where.frame, where.stage);
    if (!focus.warp || focus.recording->arrays.size() < 3) {
        const draw::Box& all = where.box;
        const float y = all.min.y + draw::stage_heading(theme, where.stage).draw(all.min, all.width()) + theme.px(2);
        Prose(theme).strong(focus.why).draw({all.min.x, y}, all.width());
        return;
    }
    TilingPart part{where, focus, tiling_facts(where.stage, focus, where.lane()), pipeline_first};
    draw::Box& box = part.box;
    if (part.first())
        part.frame.hint = plain(lane_message(part.stage.slug, part.focus, part.facts, part.lane()));
    box.min.y += std::max(draw::stage_headline(part.frame, part.stage, headline(part.facts), box),
                          heading_height(part.frame, box.width()));
    explain(part);
    mark_picture(part.frame.marks, part.stage.slug, box);
    const float whole = box.height();
    box.min.y += draw_strip(part, box);
    box.min.y += draw_lanes_of_time(part, {box.min, {box.max.x, box.min.y + whole}});
    const float below = lane_strip_height(theme, box.width());
    const draw::Box lanes{{box.min.x, box.max.y - below}, box.max};
    draw_warp(part, lanes);
    box.max.y -= below + theme.px(6);
    const TilingLayout layout = tiling_layout(theme, part.recording(), box);
    draw_operands(part, layout);
    for (const TileFrame& tile : layout.tiles)
        draw_tile(part, tile);
    std::optional<ImVec2> above_lane;
    if (below < 2 * ImGui::GetTextLineHeight() + theme.px(8)) // in one row
        above_lane = lane_strip_top(theme, lanes, part.lane());
    draw_moves(part, layout, above_lane);
    for (uint8_t array = 0; array < 3; ++array)
        if (layout.operands[array].shape.rows > 0)
            draw_label(theme, layout.operands[array], part.recording().arrays[array]);
    for (const TileFrame& tile : layout.tiles)
        draw_label(theme, tile.frame, part.recording().arrays[tile.array]);
}

void TilingView::draw(ViewFrame& frame)
{
    draw::in_columns(frame, "tiling view", ImGuiWindowFlags_NoScrollbar, [&](std::size_t i, const draw::Box& box) {
        draw_stage({frame, frame.columns[i], box}, pipeline_first[i]);
    });
}

} // namespace

std::unique_ptr<View> make_tiling_view()
{
    return std::make_unique<TilingView>();
}

} // namespace viz
