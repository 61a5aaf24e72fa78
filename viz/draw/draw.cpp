#include "viz/draw/draw.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace viz::draw {

namespace {

ImFont* or_default(ImFont* font)
{
    return font ? font : ImGui::GetFont();
}

// ImGui's renderer calls this in draw order and resets the scissor rectangle afterwards.
void clear_clipped(const ImDrawList*, const ImDrawCmd* command)
{
    const ImDrawData& data = *ImGui::GetDrawData();
    const auto pixel = [](float at, float origin, float scale) {
        return static_cast<GLint>(std::lround((at - origin) * scale));
    };
    const ImVec4& clip = command->ClipRect;
    const GLint height = pixel(data.DisplaySize.y, 0, data.FramebufferScale.y);
    const GLint left = std::max(pixel(clip.x, data.DisplayPos.x, data.FramebufferScale.x), 0);
    const GLint right = pixel(clip.z, data.DisplayPos.x, data.FramebufferScale.x);
    const GLint top = std::max(pixel(clip.y, data.DisplayPos.y, data.FramebufferScale.y), 0);
    const GLint bottom = std::min(pixel(clip.w, data.DisplayPos.y, data.FramebufferScale.y), height);
    if (right <= left || bottom <= top)
        return;
    const auto colour = static_cast<ImU32>(reinterpret_cast<std::uintptr_t>(command->UserCallbackData));
    const ImVec4 value = ImGui::ColorConvertU32ToFloat4(colour);
    glScissor(left, height - bottom, right - left, bottom - top);
    glClearColor(value.x * value.w, value.y * value.w, value.z * value.w,
                 value.w); // alpha is 0 in a picture without background
    glClear(GL_COLOR_BUFFER_BIT);
}

} // namespace

ImVec2 measure(ImFont* font, std::string_view words)
{
    font = or_default(font);
    return font->CalcTextSizeA(font->FontSize, 1e9f, 0.0f, words.data(), words.data() + words.size());
}

float line_height(ImFont* font)
{
    return measure(font, "0").y;
}

float row_height(const Theme& theme, float between, ImFont* font)
{
    return std::ceil(line_height(font ? font : theme.text) + theme.px(between));
}

std::string first_fitting(ImFont* font, float room, std::span<const std::string> words)
{
    const auto fits = [&](const std::string& one) { return measure(font, one).x <= room; };
    const auto found = std::ranges::find_if(words, fits);
    return found == words.end() ? words.back() : *found;
}

void text(ImDrawList* list, ImFont* font, ImVec2 place, Colour colour, std::string_view words)
{
    font = or_default(font);
    const ImVec2 pixel{std::round(place.x), std::round(place.y)};
    list->AddText(font, font->FontSize, pixel, colour, words.data(), words.data() + words.size());
}

bool text_in(ImDrawList* list, ImFont* font, const Box& box, Colour colour, std::string_view words)
{
    const ImVec2 size = measure(font, words);
    if (size.x > box.width() || size.y > box.height() + 3)
        return false;
    text(list, font, {(box.min.x + box.max.x - size.x) / 2, (box.min.y + box.max.y - size.y) / 2}, colour, words);
    return true;
}

void fill_opaque(ImDrawList& list, ImVec2 min, ImVec2 max, Colour colour)
{
    if ((list.Flags & ImDrawListFlags_AntiAliasedFill) == 0) { // the list is exported as vector graphics
        list.AddRectFilled(min, max, colour);
        return;
    }
    list.PushClipRect(min, max, true);
    list.AddCallback(clear_clipped, reinterpret_cast<void*>(std::uintptr_t{colour}));
    list.PopClipRect();
}

std::optional<Colour> opaque_fill(const ImDrawCmd& command)
{
    if (command.UserCallback != clear_clipped)
        return std::nullopt;
    return static_cast<Colour>(reinterpret_cast<std::uintptr_t>(command.UserCallbackData));
}

Colour with_alpha(Colour colour, float alpha)
{
    return (colour & 0x00ffffffu) | static_cast<Colour>(std::lround(alpha * 255)) << 24;
}

Colour empty_colour(const Theme& theme)
{
    return mix(theme.panel, theme.ink, 0.1f);
}

bool item(const char* name, const Box& box)
{
    ImGui::SetCursorScreenPos(box.min);
    ImGui::InvisibleButton(name, {std::max(1.0f, box.width()), std::max(1.0f, box.height())});
    return ImGui::IsItemHovered();
}

bool pointed_at(const Box& box)
{
    return ImGui::IsWindowHovered() && box.holds(ImGui::GetMousePos());
}

void flow(float width)
{
    const float end = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    if (ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width <= end)
        ImGui::SameLine();
}

float button_width(const char* label)
{
    return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
}

bool choice(const Theme& theme, const Choice& choice, std::string& hint)
{
    const bool refused = !choice.refusal.empty();
    const Colour face = choice.chosen ? mix(theme.panel, theme.ink, 0.24f) : theme.panel;
    ImGui::PushStyleColor(ImGuiCol_Button, face);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, refused ? face : mix(face, theme.ink, 0.1f));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, refused ? face : mix(face, theme.ink, 0.2f));
    ImGui::PushStyleColor(ImGuiCol_Text, refused ? theme.ink_faint : theme.ink);
    const bool pressed = ImGui::Button(choice.label);
    if (theme.words_drawn != nullptr)
        ++*theme.words_drawn;
    ImGui::PopStyleColor(4);
    if (refused && ImGui::IsItemHovered())
        hint = choice.refusal;
    return pressed && !refused;
}

} // namespace viz::draw
