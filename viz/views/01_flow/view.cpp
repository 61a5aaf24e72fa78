// The data path: the words that a step moves, from where to where, in which order and at what cost.
#include "viz/view.h"

#include "viz/text/figures.h"
#include "viz/views/01_flow/paint.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

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
    void draw(ViewFrame& frame) override;

private:
    void draw_part(ViewFrame& frame, const Subject& subject, FlowFacts& facts, draw::Box box);

    FlowFacts facts_[2];
};

struct Headline {
    std::string words;
    Colour colour = 0;
};

Headline headline_of(const Theme& theme, const StepWays& ways, const recording::Access& access)
{
    if (ways.bank) {
        const auto conflicts = static_cast<uint64_t>(ways.bank->conflicts);
        return {fmt::format("{} · {}", counted(static_cast<uint64_t>(ways.bank->wavefronts), "wavefront"),
                            conflicts > 0 ? counted(conflicts, "conflict") : "no conflict"),
                conflicts > 0 ? theme.warning : theme.good};
    }
    if (ways.line)
        return {fmt::format("{} · {}", counted(static_cast<uint64_t>(ways.line->requests), "request"),
                            counted(static_cast<uint64_t>(ways.line->sectors), "sector")),
                theme.ink};
    return {std::string(recording::name(access.op)), theme.ink_quiet};
}

// Returns the height.
float draw_heading(ViewFrame& frame, const Subject& subject, const Headline& headline, const draw::Box& box)
{
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Theme& theme = frame.theme;
    const ImVec2 size = draw::measure(theme.heading, headline.words);
    const float mark = theme.px(10);
    list->AddRectFilled({box.min.x, box.min.y + size.y / 2 - mark / 2},
                        {box.min.x + mark, box.min.y + size.y / 2 + mark / 2}, theme.accent(subject.accent));
    draw::text(list, theme.heading, {box.min.x + mark + theme.px(8), box.min.y}, theme.ink, subject.slug);
    const float named = mark + theme.px(24) + draw::measure(theme.heading, subject.slug).x;
    const bool beside = named + size.x <= box.width();
    draw::text(list, theme.heading,
               {beside ? box.max.x - size.x : box.min.x, box.min.y + (beside ? 0 : size.y + theme.px(2))},
               headline.colour, headline.words);
    return (beside ? 1.0f : 2.0f) * size.y + theme.px(8);
}

// The lane under the mouse, or those that want the word under it.
uint32_t lanes_pointed_at(const FlowScene& scene, const FlowFacts& facts, ImVec2 mouse)
{
    if (const auto lane = scene.lane_under(mouse))
        return 1u << *lane;
    const auto under = scene.word_under(mouse);
    uint32_t lanes = 0;
    for (const Way& way : facts.ways.ways)
        for (const WayEnd& end : {way.from, way.to})
            if (const auto place = under && !end.in_lane ? facts.rows.place(end.array, end.offset) : std::nullopt)
                if (place->row == under->row && under->word >= place->word && under->word < place->word + way.bytes / 4)
                    lanes |= 1u << way.lane;
    return lanes;
}

void FlowView::draw_part(ViewFrame& frame, const Subject& subject, FlowFacts& facts, draw::Box box)
{
    const Theme& theme = frame.theme;
    const Focus focus = focus_on(subject, frame.first, frame.selection);
    if (!focus.warp || focus.recording->arrays.size() < 3) {
        Prose(theme).strong(focus.why).draw(ImGui::GetWindowDrawList(), box.min, box.width());
        return;
    }
    facts.update(subject, focus, frame.selection.lane, frame.seconds, true);
    box.min.y += draw_heading(frame, subject, headline_of(theme, facts.ways, focus.access()), box);
    const FlowScene scene({*focus.recording, facts.rows, facts.ways, facts.lines_below}, theme, box);
    ImGui::SetCursorScreenPos(box.min);
    ImGui::InvisibleButton("data path", {std::max(1.0f, box.width()), std::max(1.0f, box.height())});
    const ImVec2 mouse = ImGui::GetMousePos();
    const uint32_t pointed = ImGui::IsItemHovered() ? lanes_pointed_at(scene, facts, mouse) : 0;
    if (pointed != 0 && ImGui::IsItemClicked())
        frame.selection.lane = static_cast<uint32_t>(std::countr_zero(pointed));
    const FlowPaint paint{ImGui::GetWindowDrawList(),
                          theme,
                          *focus.recording,
                          focus,
                          facts,
                          scene,
                          Motion{frame.seconds - facts.began},
                          theme.accent(subject.accent),
                          frame.selection.lane,
                          pointed,
                          &subject == &frame.first ? frame.marks : nullptr};
    paint.list->PushClipRect(box.min, {box.max.x + theme.px(2), box.max.y}, true);
    paint_operands(paint);
    paint_registers(paint);
    paint_memory(paint);
    paint_ways(paint);
    paint_lanes(paint);
    paint_cost(paint);
    paint.list->PopClipRect();
}

void FlowView::draw(ViewFrame& frame)
{
    const ImVec2 corner = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float gap = frame.theme.px(28);
    const float width = frame.second ? std::floor((room.x - gap) / 2) : room.x;
    for (int i = 0; i < (frame.second ? 2 : 1); ++i) {
        const float x = corner.x + static_cast<float>(i) * (width + gap);
        ImGui::PushID(i);
        draw_part(frame, i == 0 ? frame.first : *frame.second, facts_[i],
                  {{x, corner.y}, {x + width, corner.y + room.y}});
        ImGui::PopID();
    }
}

} // namespace

std::unique_ptr<View> make_flow_view()
{
    return std::make_unique<FlowView>();
}

} // namespace viz
