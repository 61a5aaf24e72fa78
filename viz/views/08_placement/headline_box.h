// Where a stage's headline stands in a view that has buttons at the right of its first row.
#pragma once

#include "viz/draw/heading.h"
#include "viz/draw/prose.h"

namespace viz {

// `first`: of the stage's name, left of the buttons; `all`: of the whole width, which a headline has that stands below them.
inline draw::Box headline_box(const ViewFrame& frame, const ShownStage& stage, const Message& headline,
                              const draw::Box& first, const draw::Box& all)
{
    Prose said(frame.theme);
    said.write_large(headline);
    const float beside = draw::stage_name_width(frame, stage) + frame.theme.px(24) + said.width();
    return beside > all.width() ? all : first;
}

} // namespace viz
