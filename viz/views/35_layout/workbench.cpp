#include "viz/views/35_layout/workbench.h"

#include "viz/draw/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <utility>

namespace viz {

namespace {

struct Stepper {
    const char* words = ""; // before the number
    int& value;
    int least = 0, most = 0;
    char more = 0; // key; with Shift: less
};

// Beside what was drawn last, or on a new line from `left` where it would end behind `right`.
struct Row {
    float left = 0, right = 0;
    bool started = false;
    void place(float width)
    {
        const float end = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width;
        if (started && end <= right)
            ImGui::SameLine();
        else
            ImGui::SetCursorScreenPos({left, ImGui::GetCursorScreenPos().y});
        started = true;
    }
};

void draw_stepper(const StagePart& part, Row& row, const Stepper& stepper)
{
    const Theme& theme = part.theme();
    const float buttons = draw::button_width("-") + draw::button_width("+") + theme.px(30);
    row.place(ImGui::CalcTextSize(stepper.words).x + buttons);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(stepper.words);
    ImGui::PushID(stepper.words);
    const auto less = static_cast<char>(std::toupper(static_cast<unsigned char>(stepper.more)));
    int by = draw::typed_step(stepper.more, less);
    ImGui::SameLine(0, theme.px(4));
    if (draw::choice(theme, {"-"}, part.frame.hint))
        --by;
    ImGui::SameLine(0, theme.px(4));
    ImGui::PushFont(theme.mono_bold);
    ImGui::TextUnformatted(fmt::format("{}", stepper.value).c_str());
    ImGui::PopFont();
    ImGui::SameLine(0, theme.px(4));
    if (draw::choice(theme, {"+"}, part.frame.hint))
        ++by;
    mark_item(part.marks(), fmt::format("more {}", stepper.words));
    ImGui::PopID();
    stepper.value = std::clamp(stepper.value + by, stepper.least, stepper.most);
}

} // namespace

std::vector<std::pair<std::string, std::string>> Workbench::keys()
{
    return {{"e", "the next kind of places to try"},
            {"E", "the previous kind of places to try"},
            {"p", "more padding; more bits of the XOR"},
            {"P", "less padding; fewer bits of the XOR"},
            {"f", "XOR: from a higher bit"},
            {"F", "XOR: from a lower bit"},
            {"u", "XOR: onto a higher bit of the column"},
            {"U", "XOR: onto a lower bit of the column"},
            {"y", "XOR: bits of the row, or of the column"},
            {"i", "your formula: into the field"}};
}

void Workbench::choose(SharedTile& tile, Mapping::Kind kind)
{
    tile.choose(kind);
    focus_formula = kind == Mapping::Kind::typed;
}

void Workbench::use_keys(SharedTile& tile)
{
    if (const int by = draw::typed_step('e', 'E'); by != 0)
        choose(tile, static_cast<Mapping::Kind>((static_cast<int>(tile.kind()) + by + 5) % 5));
}

void Workbench::draw(const StagePart& part, SharedTile& tile, float width)
{
    const Theme& theme = part.theme();
    Mapping mapping = tile.mapping();
    Row row{ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().x + width};
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme.px(5), theme.px(1)});
    if (mapping.kind == Mapping::Kind::padded)
        draw_stepper(part, row, {"after each row", mapping.padding, 0, most_padding, 'p'});
    if (mapping.kind == Mapping::Kind::xored) {
        const bool of_row = mapping.bits == Mapping::Bits::of_row;
        row.place(draw::button_width("column"));
        if (draw::choice(theme, {of_row ? "row" : "column", true}, part.frame.hint) || draw::typed('y'))
            mapping.bits = of_row ? Mapping::Bits::of_col : Mapping::Bits::of_row;
        mark_item(part.marks(), "XOR source");
        draw_stepper(part, row, {"bit", mapping.from, 0, most_bit, 'f'});
        draw_stepper(part, row, {"to", mapping.to, 0, most_bit, 'u'});
        draw_stepper(part, row, {"count", mapping.count, 1, most_bits, 'p'});
    }
    if (mapping.kind == Mapping::Kind::typed) {
        if (draw::typed('i'))
            focus_formula = true;
        if (std::exchange(focus_formula, false))
            ImGui::SetKeyboardFocusHere();
        std::snprintf(formula, sizeof formula, "%s", mapping.formula.c_str()); // of this tile
        ImGui::SetNextItemWidth(std::max(theme.px(60), width));
        ImGui::PushFont(theme.mono);
        if (ImGui::InputText("##formula", formula, sizeof formula, ImGuiInputTextFlags_AutoSelectAll))
            mapping.formula = formula;
        ImGui::PopFont();
        mark_field(part.marks(), "formula");
    }
    ImGui::PopStyleVar();
    tile.set(mapping);
}

} // namespace viz
