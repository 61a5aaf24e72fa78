// Records by name where the items of a frame were drawn: for the tests of the window (tests/window/README.md), and for
// figures in files. Other frames have no Marks.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

// The positions of a frame's items.
struct Marks {
    struct Widget {
        std::string name;
        ImVec2 min, max; // in ImGui's units
    };
    // A mark of a figure (viz/figure/figure.h), at the position where it was drawn.
    struct Drawn {
        std::string panel, name;
        ImVec2 min, max;
        std::optional<double> value;
        uint32_t colour = 0;
        std::string label; // text drawn at the mark
    };
    // Text of a figure, with its bounding box.
    struct Words {
        std::string panel, words;
        ImVec2 min, max;
        bool cut = false;       // part of the text lies outside the panel
        bool shortened = false; // the text ends in an ellipsis
    };
    std::vector<Widget> widgets;
    std::vector<Drawn> drawn;
    std::vector<Words> words;
};

// A tip and the area in which it appears, for files that show tips without the program. If areas overlap, the last one
// counts.
struct TipArea {
    ImVec2 min, max; // in ImGui's units
    std::string words;
};

// Records the position of a widget. Has no effect if `marks` is null.
inline void mark(Marks* marks, std::string_view name, ImVec2 min, ImVec2 max)
{
    if (marks != nullptr)
        marks->widgets.push_back({std::string(name), min, max});
}

// Marks the box that a view fills with a picture. A view with several pictures calls it for each.
inline void mark_picture(Marks* marks, std::string_view name, ImVec2 min, ImVec2 max)
{
    mark(marks, "picture:" + std::string(name), min, max);
}

// Marks the last ImGui item.
inline void mark_item(Marks* marks, std::string_view name)
{
    mark(marks, name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

// Marks the last ImGui item of a scrolling list, but only if it is fully visible.
inline void mark_shown_item(Marks* marks, std::string_view name)
{
    const ImDrawList* drawn = ImGui::GetWindowDrawList();
    if (ImGui::GetItemRectMin().y >= drawn->GetClipRectMin().y &&
        ImGui::GetItemRectMax().y <= drawn->GetClipRectMax().y)
        mark_item(marks, name);
}

// Marks the last ImGui text field: "typing:NAME" while it gets the typed keys, "field:NAME" while no field does.
inline void mark_field(Marks* marks, std::string_view name)
{
    // This value is from the previous frame, because a new focus has an effect only in the next frame.
    const bool typing = ImGui::GetIO().WantTextInput;
    if (ImGui::IsItemActive() == typing)
        mark_item(marks, std::string(typing ? "typing:" : "field:") + std::string(name));
}

} // namespace viz
