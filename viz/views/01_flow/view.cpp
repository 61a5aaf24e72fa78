// The data path: the words that a step moves, from where to where, in which order and at what cost.
#include "viz/view.h"

#include "viz/analysis/sectors.h"
#include "viz/draw/columns.h"
#include "viz/draw/heading.h"
#include "viz/draw/pan_zoom.h"
#include "viz/views/01_flow/labels.h"
#include "viz/views/01_flow/messages.h"
#include "viz/views/01_flow/registers.h"

#include <array>
#include <bit>
#include <utility>

namespace viz {

std::unique_ptr<View> make_flow_view();

namespace {

class FlowView final : public View {
public:
    std::string_view name() const override { return "flow"; }
    std::string_view title() const override { return "Data path"; }
    ViewGroup group() const override { return ViewGroup::flow; }
    std::vector<Numbers> numbers() const override
    {
        return {{Numbers::How::recorded, "accesses, owners"}, {Numbers::How::derived, "wavefronts, sectors"}};
    }
    bool shows_single_accesses() const override { return true; }
    ViewCommands commands() override
    {
        return PanZoom::commands([this] {
            std::vector<PanZoom*> shown;
            for (std::size_t i = 0; i < columns_; ++i)
                shown.push_back(&zoom_[i]);
            return shown;
        });
    }
    void draw(ViewFrame& frame) override;
    bool settled() const override { return !moving_; }

private:
    void draw_part(ViewFrame& frame, const StageColumn& stage, draw::Box box);

    std::array<PanZoom, most_columns> zoom_;
    std::size_t columns_ = 0;                                       // in the last frame
    std::array<const recording::WarpTrace*, most_columns> shown_{}; // of the last frame; compared only
    bool moving_ = false;                                           // words moved in the last frame
    double seconds_ = 0;                                            // time of the last frame
};

Message headline_of(const recording::Recording& recording, const StepWays& ways, const recording::Access& access)
{
    const auto strong = [](uint64_t number) { return Value(number).as(Meaning::strong); };
    if (const auto& operands = ways.operands)
        return {"flow.group_product",
                {{"rows", strong(operands->rows_of_c())},
                 {"cols", strong(operands->cols_of_c())},
                 {"depth", strong(operands->depth)}}};
    if (const auto& box = ways.box)
        return {"flow.bulk_copy",
                {{"bytes", Value(bytes(static_cast<double>(uint64_t{box->source.rows} * box->source.cols *
                                                           recording.arrays[box->from].element_bytes)))
                               .as(Meaning::strong)}}};
    const int conflicts = ways.bank ? ways.bank->conflicts - ways.l1_waits : 0;
    if (ways.bank && ways.l1_waits > 0 && conflicts == 0)
        return {"flow.bank_waits",
                {{"wavefronts", ways.bank->wavefronts}, {"waits", Value(ways.l1_waits).as(Meaning::conflict)}}};
    if (ways.bank) {
        const Meaning meaning = conflicts > 0 ? Meaning::conflict : Meaning::good;
        return {
            "flow.bank",
            {{"wavefronts", Value(ways.bank->wavefronts).as(meaning)}, {"conflicts", Value(conflicts).as(meaning)}}};
    }
    if (ways.line) {
        const bool wasteful = static_cast<uint64_t>(ways.line->sectors) > fewest_sectors(access);
        return {"flow.line",
                {{"requests", ways.line->requests},
                 {"sectors", Value(ways.line->sectors).as(wasteful ? Meaning::conflict : Meaning::good)}}};
    }
    return {"flow.access", {{"access", Value(recording::name(access.op)).as(Meaning::quiet)}}};
}

Motion motion_of(const ViewFrame& frame, const StageColumn& stage, const FlowFacts& facts)
{
    Motion motion{.since = frame.seconds - facts.began, .turns = facts.ways.turns};
    if (frame.motion.wanted)
        motion.played = frame.motion.shares[stage.number];
    return motion;
}

// The lane under the mouse, or those that want the word under it.
uint32_t lanes_pointed_at(const FlowScene& scene, const FlowFacts& facts, ImVec2 mouse)
{
    if (const auto lane = scene.lane_under(mouse))
        return 1u << *lane;
    const auto word = scene.word_under(mouse);
    uint32_t lanes = 0;
    for (const Way& way : facts.ways.ways)
        for (const WayEnd& end : {way.from, way.to})
            if (word && facts.rows.covers(end, way.bytes, *word))
                lanes |= 1u << way.lane;
    return lanes;
}

void FlowView::draw_part(ViewFrame& frame, const StageColumn& stage, draw::Box box)
{
    PanZoom& zoom = zoom_[stage.number];
    const Theme& theme = frame.theme;
    const Focus focus = focus_on(frame, stage);
    if (!focus.warp || focus.recording->arrays.size() < 3) {
        Prose(theme).strong(focus.why).draw(ImGui::GetWindowDrawList(), box.min, box.width());
        return;
    }
    const std::shared_ptr<BlockTiling> tiling = flow_tiling(stage, *focus.block);
    if (tiling == nullptr) {
        Prose(theme).write({"flow.preparing"}).draw(ImGui::GetWindowDrawList(), box.min, box.width());
        return;
    }
    auto& facts = stage.tool<FlowFacts>(*focus.block, focus.warp_index, tiling);
    const bool same_warp = std::exchange(shown_[stage.number], focus.warp) == focus.warp;
    facts.move_to(focus.step, frame.selection.lane, frame.seconds, frame.motion.wanted && same_warp);
    box.min.y += draw::stage_headline(frame, stage, headline_of(*focus.recording, facts.ways, focus.access()), box);
    mark_picture(frame.marks, stage.slug, box);
    const bool hovered = draw::item("data path", box);
    zoom.follow(box, box.width(), box.height());
    zoom.use_mouse();
    const FlowScene scene(facts, static_cast<float>(zoom.cell()), theme,
                          {zoom.to_screen(0, 0), zoom.to_screen(box.width(), box.height())});
    const ImVec2 mouse = ImGui::GetMousePos();
    const uint32_t pointed = hovered ? lanes_pointed_at(scene, facts, mouse) : 0;
    if (pointed != 0 && ImGui::IsItemClicked())
        frame.selection.lane = static_cast<uint32_t>(std::countr_zero(pointed));
    const auto grid = product_grid(facts, scene, theme);
    const auto sum = grid && hovered ? grid->element_under(mouse) : std::nullopt;
    if (sum) {
        frame.point_out(sum_message(facts, *sum));
        if (ImGui::IsItemClicked())
            frame.selection.c = {sum->row, sum->col};
    } else if (hovered)
        if (auto words = what_is_at(facts, scene, focus, frame.selection.lane, mouse))
            frame.point_out(std::move(*words));
    Messages lane = lane_messages(facts, focus, frame.selection.lane);
    if (frame.comparing())
        lane.insert(lane.begin(),
                    {"flow.stage", {{"colour", Swatch{theme.accent(stage.number)}}, {"stage", stage.slug}}});
    frame.explain(std::move(lane));
    const FlowPaint paint{{frame, stage, box}, focus, facts, scene, motion_of(frame, stage, facts), pointed};
    // Where no time passes, as in a picture, nothing moves.
    moving_ = moving_ || (frame.motion.wanted && frame.seconds > seconds_ && !paint.motion.over(facts.ways.turns));
    paint.list->PushClipRect(box.min, {box.max.x + theme.px(2), box.max.y}, true);
    paint_operands(paint);
    paint_registers(paint);
    paint_memory(paint);
    paint_ways(paint);
    if (facts.rows.rows() > 0) {
        paint_row_names(paint);
        paint_column_numbers(paint);
    }
    paint_lanes(paint);
    paint_numbers(paint);
    if (zoom.cell() < 1.5) // closer, one looks at words and has no room for it
        paint_cost(paint);
    paint.list->PopClipRect();
}

void FlowView::draw(ViewFrame& frame)
{
    moving_ = false;
    columns_ = frame.columns.size();
    draw::in_columns(frame.theme, frame.columns.size(), 0,
                     [&](std::size_t part, const draw::Box& column) { draw_part(frame, frame.columns[part], column); });
    seconds_ = frame.seconds;
}

} // namespace

std::unique_ptr<View> make_flow_view()
{
    return std::make_unique<FlowView>();
}

} // namespace viz
