#include "viz/views/35_layout/workbench.h"

#include "viz/draw/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace viz {

namespace {

// A number of the mapping that can be stepped; nothing of one that the kind of places does not have.
struct Number {
    int Mapping::*member;
    int least = 0, most = 0;
};
constexpr Number padding{&Mapping::padding, 0, most_padding}, from_bit{&Mapping::from, 0, most_bit},
    to_bit{&Mapping::to, 0, most_bit}, bits{&Mapping::count, 1, most_bits};

void step(SharedTile& tile, const Number& number, int by)
{
    Mapping mapping = tile.mapping();
    mapping.*number.member = std::clamp(mapping.*number.member + by, number.least, number.most);
    tile.set(mapping);
}

void exchange_bits(SharedTile& tile)
{
    Mapping mapping = tile.mapping();
    mapping.bits = mapping.bits == Mapping::Bits::of_row ? Mapping::Bits::of_col : Mapping::Bits::of_row;
    tile.set(mapping);
}

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

void draw_stepper(const StagePart& part, Row& row, SharedTile& tile, const char* words, const Number& number)
{
    const Theme& theme = part.theme();
    const float buttons = draw::button_width("-") + draw::button_width("+") + theme.px(30);
    row.place(ImGui::CalcTextSize(words).x + buttons);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(words);
    ImGui::PushID(words);
    int by = 0;
    ImGui::SameLine(0, theme.px(4));
    if (draw::choice(theme, {"-"}, part.frame.hint))
        --by;
    ImGui::SameLine(0, theme.px(4));
    ImGui::PushFont(theme.mono_bold);
    ImGui::TextUnformatted(fmt::format("{}", tile.mapping().*number.member).c_str());
    ImGui::PopFont();
    ImGui::SameLine(0, theme.px(4));
    if (draw::choice(theme, {"+"}, part.frame.hint))
        ++by;
    mark_item(part.marks(), fmt::format("more {}", words));
    ImGui::PopID();
    if (by != 0)
        step(tile, number, by);
}

} // namespace

ViewCommands Workbench::commands(const WithTile& with_tile)
{
    using Kind = Mapping::Kind;
    const auto next_kind = [=, this](int by) {
        return [=, this](const ViewScene& scene) {
            with_tile(scene, [&](SharedTile& tile) {
                choose(tile, static_cast<Kind>((static_cast<int>(tile.kind()) + by + 5) % 5));
            });
        };
    };
    const auto of_kind = [=](Kind kind, auto act) { // only while these places are tried
        return [=](const ViewScene& scene) {
            with_tile(scene, [&](SharedTile& tile) {
                if (tile.kind() == kind)
                    act(tile);
            });
        };
    };
    const auto stepping = [=](Number number, int by) {
        return of_kind(Kind::xored, [=](SharedTile& tile) { step(tile, number, by); });
    };
    const auto more = [=](int by) { // of what the kind has most of all
        return [=](const ViewScene& scene) {
            with_tile(scene, [&](SharedTile& tile) {
                if (tile.kind() == Kind::padded || tile.kind() == Kind::xored)
                    step(tile, tile.kind() == Kind::padded ? padding : bits, by);
            });
        };
    };
    return {{"e", "the next kind of places to try", next_kind(1)},
            {"E", "the previous kind of places to try", next_kind(-1)},
            {"p", "more padding; more bits of the XOR", more(1)},
            {"P", "less padding; fewer bits of the XOR", more(-1)},
            {"f", "XOR: from a higher bit", stepping(from_bit, 1)},
            {"F", "XOR: from a lower bit", stepping(from_bit, -1)},
            {"u", "XOR: onto a higher bit of the column", stepping(to_bit, 1)},
            {"U", "XOR: onto a lower bit of the column", stepping(to_bit, -1)},
            {"y", "XOR: bits of the row, or of the column", of_kind(Kind::xored, exchange_bits)},
            {"i", "your formula: into the field", of_kind(Kind::typed, [this](SharedTile&) { focus_formula = true; })}};
}

void Workbench::choose(SharedTile& tile, Mapping::Kind kind)
{
    tile.choose(kind);
    focus_formula = kind == Mapping::Kind::typed;
}

void Workbench::draw(const StagePart& part, SharedTile& tile, float width)
{
    const Theme& theme = part.theme();
    Row row{ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().x + width};
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme.px(5), theme.px(1)});
    if (tile.kind() == Mapping::Kind::padded)
        draw_stepper(part, row, tile, "after each row", padding);
    if (tile.kind() == Mapping::Kind::xored) {
        const bool of_row = tile.mapping().bits == Mapping::Bits::of_row;
        row.place(draw::button_width("column"));
        if (draw::choice(theme, {of_row ? "row" : "column", true}, part.frame.hint))
            exchange_bits(tile);
        mark_item(part.marks(), "XOR source");
        draw_stepper(part, row, tile, "bit", from_bit);
        draw_stepper(part, row, tile, "to", to_bit);
        draw_stepper(part, row, tile, "count", bits);
    }
    if (tile.kind() == Mapping::Kind::typed) {
        Mapping mapping = tile.mapping();
        if (std::exchange(focus_formula, false))
            ImGui::SetKeyboardFocusHere();
        std::snprintf(formula, sizeof formula, "%s", mapping.formula.c_str()); // of this tile
        ImGui::SetNextItemWidth(std::max(theme.px(60), width));
        ImGui::PushFont(theme.mono);
        if (ImGui::InputText("##formula", formula, sizeof formula, ImGuiInputTextFlags_AutoSelectAll)) {
            mapping.formula = formula;
            tile.set(mapping);
        }
        ImGui::PopFont();
        mark_field(part.marks(), "formula");
    }
    ImGui::PopStyleVar();
}

} // namespace viz
