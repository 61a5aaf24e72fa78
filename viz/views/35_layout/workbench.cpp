#include "viz/views/35_layout/workbench.h"

#include "viz/draw/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <utility>

namespace viz {

namespace {

using Kind = Mapping::Kind;

constexpr std::pair<Kind, const char*> kinds[] = {{Kind::recorded, "as recorded"},
                                                  {Kind::row_major, "row after row"},
                                                  {Kind::padded, "padded"},
                                                  {Kind::xored, "XOR"},
                                                  {Kind::typed, "typed"}};

struct Stepper {
    const char* words = ""; // before the number
    int& value;
    int least = 0, most = 0;
    char more = 0; // key; with Shift: less
};

void draw_stepper(const Theme& theme, const Stepper& stepper, std::string& hint, Marks* marks)
{
    const float buttons = draw::button_width("-") + draw::button_width("+") + theme.px(36);
    draw::flow(ImGui::CalcTextSize(stepper.words).x + buttons);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(stepper.words);
    ImGui::PushID(stepper.words);
    int by = (draw::typed(stepper.more) ? 1 : 0) -
             (draw::typed(static_cast<char>(std::toupper(static_cast<unsigned char>(stepper.more)))) ? 1 : 0);
    ImGui::SameLine(0, theme.px(6));
    if (draw::choice(theme, {"-", false, {}}, hint))
        --by;
    ImGui::SameLine(0, theme.px(6));
    ImGui::PushFont(theme.mono_bold);
    ImGui::TextUnformatted(fmt::format("{}", stepper.value).c_str());
    ImGui::PopFont();
    ImGui::SameLine(0, theme.px(6));
    if (draw::choice(theme, {"+", false, {}}, hint))
        ++by;
    mark_item(marks, fmt::format("more {}", stepper.words));
    ImGui::PopID();
    stepper.value = std::clamp(stepper.value + by, stepper.least, stepper.most);
}

} // namespace

std::vector<std::pair<std::string, std::string>> Workbench::keys()
{
    return {{"e and E", "the next and the previous kind of places to try"},
            {"p and P", "more or less padding; more or fewer bits of the XOR"},
            {"f and F", "XOR: from a higher or a lower bit"},
            {"u and U", "XOR: onto a higher or a lower bit of the column"},
            {"y", "XOR: bits of the row, or of the column"},
            {"i", "typed: into the field"}};
}

void Workbench::choose(Mapping& mapping, Kind kind)
{
    if (kind == Kind::typed && mapping.kind != Kind::typed) {
        // To go on from what was chosen before.
        if (mapping.kind == Kind::padded || mapping.kind == Kind::xored || mapping.kind == Kind::row_major)
            mapping.formula = formula_of(mapping);
        std::snprintf(formula, sizeof formula, "%s", mapping.formula.c_str());
        focus_formula = true;
    }
    mapping.kind = kind;
}

void Workbench::draw(const Theme& theme, Mapping& mapping, std::string& hint, Marks* marks)
{
    const int by = (draw::typed('e') ? 1 : 0) - (draw::typed('E') ? 1 : 0);
    if (by != 0)
        choose(mapping, kinds[(static_cast<int>(mapping.kind) + by + 5) % 5].first);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Try places");
    for (const auto& [kind, name] : kinds) {
        draw::flow(draw::button_width(name));
        if (draw::choice(theme, {name, mapping.kind == kind, {}}, hint))
            choose(mapping, kind);
        mark_item(marks, fmt::format("places {}", name));
    }
    draw_parameters(theme, mapping, hint, marks);
}

void Workbench::draw_parameters(const Theme& theme, Mapping& mapping, std::string& hint, Marks* marks)
{
    if (mapping.kind == Kind::padded) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted("Padded:");
        draw_stepper(theme, {"elements after each row", mapping.padding, 0, most_padding, 'p'}, hint, marks);
    }
    if (mapping.kind == Kind::xored) {
        const bool of_row = mapping.bits == Mapping::Bits::of_row;
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted("Bits of the");
        ImGui::SameLine();
        if (draw::choice(theme, {of_row ? "row" : "column", true, {}}, hint) || draw::typed('y'))
            mapping.bits = of_row ? Mapping::Bits::of_col : Mapping::Bits::of_row;
        mark_item(marks, "XOR source");
        draw_stepper(theme, {"count", mapping.count, 1, most_bits, 'p'}, hint, marks);
        draw_stepper(theme, {"from bit", mapping.from, 0, most_bit, 'f'}, hint, marks);
        draw_stepper(theme, {"flip those of the column from bit", mapping.to, 0, most_bit, 'u'}, hint, marks);
    }
    if (mapping.kind == Kind::typed) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted("Place of (row, col) =");
        draw::flow(theme.px(260));
        if (draw::typed('i'))
            focus_formula = true;
        if (std::exchange(focus_formula, false))
            ImGui::SetKeyboardFocusHere();
        ImGui::SetNextItemWidth(std::min(ImGui::GetContentRegionAvail().x - theme.px(4), theme.px(460)));
        ImGui::PushFont(theme.mono);
        ImGui::InputText("##formula", formula, sizeof formula);
        ImGui::PopFont();
        mark_field(marks, "formula");
        mapping.formula = formula;
    }
}

} // namespace viz
