// Where a stage's headline stands in a view that has buttons at the right of its first row.
#pragma once

#include "viz/draw/heading.h"

namespace viz {

// `first`: of the stage's name, left of the buttons; `all`: of the whole width, which a headline has that stands below them.
inline draw::Box headline_box(const ViewFrame& frame, const ShownStage& stage, const Message& headline,
                              const draw::Box& first, const draw::Box& all)
{
    return draw::headline_is_beside(frame, stage, headline, all.width()) ? first : all;
}

} // namespace viz
