// One stage of a view while it is drawn, and its place.
#pragma once

#include "viz/draw/draw.h"
#include "viz/view.h"

namespace viz {

struct StagePart {
    ViewFrame& frame;
    const StageColumn& stage;
    draw::Box box{};

    const Theme& theme() const { return frame.theme; }
    Colour accent() const { return frame.theme.accent(stage.number); }
    uint32_t lane() const { return frame.selection.lane; }
    bool first() const { return stage.number == 0; }
    Marks* marks() const { return first() ? frame.marks : nullptr; } // they do not say whose they are
};

} // namespace viz
