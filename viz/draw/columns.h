// The room of a view, for one stage or for some beside each other.
#pragma once

#include "viz/draw/draw.h"
#include "viz/view.h"

#include <vector>

namespace viz::draw {

// Columns of one width, from `below` pixels under ImGui's cursor to the end of the window.
std::vector<Box> columns(const Theme& theme, std::size_t count, float below = 0);
std::vector<Box> columns(const Theme& theme, bool, float = 0) = delete; // a number, not whether there are two

// Calls draw(0, its column) and so on for each of them, with ImGui ids of its own.
template <class Draw>
void in_columns(const Theme& theme, std::size_t count, float below, Draw draw)
{
    std::size_t index = 0;
    for (const Box& column : columns(theme, count, below)) {
        ImGui::PushID(static_cast<int>(index));
        draw(index++, column);
        ImGui::PopID();
    }
}

// The same for the stages of a view, in an ImGui child of its own.
template <class Draw>
void in_columns(const ViewFrame& frame, const char* child, ImGuiWindowFlags flags, Draw draw)
{
    ImGui::BeginChild(child, {0, 0}, false, flags);
    in_columns(frame.theme, frame.columns.size(), 0, draw);
    ImGui::EndChild();
}

} // namespace viz::draw
