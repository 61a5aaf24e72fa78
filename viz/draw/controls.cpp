#include "viz/draw/controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace viz::draw {

Controls::Controls(ViewFrame& frame, const Box& box, float down) : frame_(frame), theme_(frame.theme), box_(box)
{
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {theme_.px(5), theme_.px(down)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {theme_.px(4), theme_.px(3)});
    ImGui::SetCursorScreenPos(box.min);
}

Controls::~Controls()
{
    ImGui::PopStyleVar(2);
}

void Controls::align_right(std::initializer_list<const char*> buttons)
{
    float width = ImGui::GetStyle().ItemSpacing.x * static_cast<float>(buttons.size() - 1);
    for (const char* words : buttons)
        width += button_width(words);
    box_.min.x = std::max(box_.min.x, box_.max.x - width);
}

void Controls::place(float width)
{
    const float between = ImGui::GetStyle().ItemSpacing.x * (std::exchange(apart_, false) ? 4 : 1);
    const bool begins = !std::exchange(begun_, true);
    if (begins)
        ImGui::SetCursorScreenPos(box_.min);
    else if (ImGui::GetItemRectMax().x + between + width <= box_.max.x + 1)
        ImGui::SameLine(0, between);
    else
        ImGui::SetCursorScreenPos({box_.min.x, ImGui::GetCursorScreenPos().y});
}

bool Controls::choice(const char* words, bool chosen, const Button& more)
{
    const float beside = more.partner != nullptr ? button_width(more.partner) + ImGui::GetStyle().ItemSpacing.x : 0;
    place(button_width(words) + beside);
    const bool pressed = draw::choice(theme_, {words, chosen, more.refusal}, frame_.hint);
    mark_item(frame_.marks, more.mark.empty() ? words : more.mark);
    return pressed;
}

int Controls::stepper(const char* words, int value)
{
    place(ImGui::CalcTextSize(words).x + button_width("-") + button_width("+") + theme_.px(30));
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(words);
    ImGui::PushID(words);
    int by = 0;
    ImGui::SameLine();
    if (draw::choice(theme_, {"-"}, frame_.hint))
        --by;
    ImGui::SameLine();
    ImGui::PushFont(theme_.mono_bold);
    ImGui::TextUnformatted(std::to_string(value).c_str());
    ImGui::PopFont();
    ImGui::SameLine();
    if (draw::choice(theme_, {"+"}, frame_.hint))
        ++by;
    mark_item(frame_.marks, fmt::format("more {}", words));
    ImGui::PopID();
    return by;
}

std::optional<int> Controls::number(const char* words, int value, int least, int most, const std::string& hint,
                                    bool in_use)
{
    const float width = theme_.px(40);
    place(button_width(words) + width);
    ImGui::PushStyleColor(ImGuiCol_Text, in_use ? theme_.ink : theme_.ink_faint);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(words);
    ImGui::SameLine(0, theme_.px(3));
    ImGui::SetNextItemWidth(width);
    ImGui::PushFont(theme_.mono_bold);
    const bool changed = ImGui::DragInt(fmt::format("##{}", words).c_str(), &value, 0.15f, least, most, "%d",
                                        ImGuiSliderFlags_AlwaysClamp);
    ImGui::PopFont();
    ImGui::PopStyleColor();
    if (ImGui::IsItemHovered())
        frame_.hint = hint;
    mark_item(frame_.marks, fmt::format("number {}", words));
    return changed ? std::optional(value) : std::nullopt;
}

bool Controls::field(const char* name, const char* words, uint32_t& value, bool focus)
{
    const float width = theme_.px(56);
    place(button_width(words) + width);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(words);
    ImGui::SameLine();
    if (focus)
        ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(width);
    ImGui::PushFont(theme_.mono);
    const bool changed = ImGui::InputScalar(fmt::format("##{}", name).c_str(), ImGuiDataType_U32, &value, nullptr,
                                            nullptr, nullptr, ImGuiInputTextFlags_AutoSelectAll);
    ImGui::PopFont();
    mark_field(frame_.marks, name);
    return changed;
}

std::optional<std::string> Controls::formula(const std::string& now, bool focus, std::string hint)
{
    place(theme_.px(110));
    if (focus)
        ImGui::SetKeyboardFocusHere();
    char typed[120];
    std::snprintf(typed, sizeof typed, "%s", now.c_str());
    ImGui::SetNextItemWidth(std::max(theme_.px(60), box_.max.x - ImGui::GetCursorScreenPos().x));
    ImGui::PushFont(theme_.mono);
    const bool changed = ImGui::InputText("##formula", typed, sizeof typed, ImGuiInputTextFlags_AutoSelectAll);
    ImGui::PopFont();
    mark_field(frame_.marks, "formula");
    if (ImGui::IsItemHovered())
        frame_.hint = std::move(hint);
    return changed ? std::optional<std::string>(typed) : std::nullopt;
}

float Controls::height() const
{
    return ImGui::GetItemRectMax().y - box_.min.y;
}

} // namespace viz::draw
