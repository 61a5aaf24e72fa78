#include "viz/draw/fill.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace viz::draw {

namespace {

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
                 value.w); // alpha is 0 for a picture without background
    glClear(GL_COLOR_BUFFER_BIT);
}

} // namespace

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

} // namespace viz::draw
