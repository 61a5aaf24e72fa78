// The room of a view, for one stage or for two beside each other.
#pragma once

#include "viz/draw/draw.h"

#include <vector>

namespace viz::draw {

// Columns of one width, from `below` pixels under ImGui's cursor to the end of the window.
std::vector<Box> columns(const Theme& theme, bool two, float below = 0);

// Calls draw(0, its column), and where there are two draw(1, its column), each with ImGui ids of its own.
template <class Draw>
void in_columns(const Theme& theme, bool two, float below, Draw draw)
{
    int index = 0;
    for (const Box& column : columns(theme, two, below)) {
        ImGui::PushID(index);
        draw(index++, column);
        ImGui::PopID();
    }
}

} // namespace viz::draw
