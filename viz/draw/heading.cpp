#include "viz/draw/heading.h"

#include "viz/text/templates.h"

#include <algorithm>

namespace viz::draw {

namespace {

Prose name_of(const ViewFrame& frame, const StageColumn& stage)
{
    Prose name(frame.theme);
    name.swatch(frame.theme.accent(stage.number)).heading(stage.slug);
    if (!stage.variant.empty())
        name.gap().strong(stage.variant);
    // While stages race, each is at a step of its own.
    const Selection& at = frame.selection;
    if (!at.at_one_step())
        name.gap().write({"focus.step", {{"step", index(at.step_of(stage.number))}}});
    return name;
}

} // namespace

float stage_name_width(const ViewFrame& frame, const StageColumn& stage)
{
    return name_of(frame, stage).width();
}

bool headline_is_beside(const ViewFrame& frame, const StageColumn& stage, const Message& headline, float width)
{
    Prose said(frame.theme);
    said.write_large(headline);
    return stage_name_width(frame, stage) + frame.theme.px(24) + said.width() <= width;
}

float stage_headline(ViewFrame& frame, const StageColumn& stage, const Message& headline, const Box& box)
{
    const Theme& theme = frame.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Prose name = name_of(frame, stage);
    Prose said(theme);
    said.write_large(headline);
    const float said_width = said.width();
    const float height = name.draw(list, box.min, box.width());
    const bool beside = headline_is_beside(frame, stage, headline, box.width());
    const ImVec2 place = beside ? ImVec2{box.max.x - said_width, box.min.y} : ImVec2{box.min.x, box.min.y + height};
    const float room = beside ? said_width + 1 : box.width();
    const float below = said.draw(list, place, room);
    mark(frame.marks, "headline:" + plain(headline), place, {place.x + room, place.y + below});
    return (beside ? std::max(height, below) : height + below) + theme.px(4);
}

Prose stage_heading(const Theme& theme, const StageColumn& stage)
{
    Prose prose(theme);
    prose.swatch(theme.accent(stage.number)).heading(stage.slug);
    if (!stage.idea.empty())
        prose.gap().say(stage.idea);
    return prose;
}

} // namespace viz::draw
