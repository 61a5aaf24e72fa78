// Where the things of a frame were drawn, by name, for the tests of the window (tests/window/README.md). Where no test asks,
// a frame has no Marks.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

struct Marks {
    struct Widget {
        std::string name;
        ImVec2 min, max; // in ImGui's units
    };
    // A mark of a figure (viz/figure/figure.h), as it was drawn.
    struct Drawn {
        std::string panel, name;
        ImVec2 min, max;
        std::optional<double> value;
        uint32_t colour = 0;
        std::string label; // the words at it
    };
    // Words of a figure, where they stand.
    struct Words {
        std::string panel, words;
        ImVec2 min, max;
        bool cut = false;       // not all of it is in the panel
        bool shortened = false; // it ends in dots
    };
    std::vector<Widget> widgets;
    std::vector<Drawn> drawn;
    std::vector<Words> words;
};

inline void mark(Marks* marks, std::string_view name, ImVec2 min, ImVec2 max)
{
    if (marks != nullptr)
        marks->widgets.push_back({std::string(name), min, max});
}

// The box that a view's picture fills with its marks; more than one where a view draws several.
inline void mark_picture(Marks* marks, std::string_view name, ImVec2 min, ImVec2 max)
{
    mark(marks, "picture:" + std::string(name), min, max);
}

// The item that ImGui drew last.
inline void mark_item(Marks* marks, std::string_view name)
{
    mark(marks, name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

// The same for an item of a list that scrolls: only where all of it shows.
inline void mark_shown_item(Marks* marks, std::string_view name)
{
    const ImDrawList* drawn = ImGui::GetWindowDrawList();
    if (ImGui::GetItemRectMin().y >= drawn->GetClipRectMin().y &&
        ImGui::GetItemRectMax().y <= drawn->GetClipRectMax().y)
        mark_item(marks, name);
}

// The text field that ImGui drew last: "typing:NAME" while keys go to it, "field:NAME" while they go to no field.
inline void mark_field(Marks* marks, std::string_view name)
{
    const bool typing = ImGui::GetIO().WantTextInput; // of the frame before: a new focus counts from the next frame on
    if (ImGui::IsItemActive() == typing)
        mark_item(marks, std::string(typing ? "typing:" : "field:") + std::string(name));
}

} // namespace viz
