#include "viz/figure/surface.h"

#include "viz/draw/draw.h"
#include "viz/figure/raster.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cstdint>

namespace viz {

namespace {

// Returns the area of the visible part of the box in pixels.
float area_in_sight(const ImDrawList& list, const Box& box)
{
    const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
    return std::max(std::min(box.max.x, high.x) - std::max(box.min.x, low.x), 0.0f) *
           std::max(std::min(box.max.y, high.y) - std::max(box.min.y, low.y), 0.0f);
}

} // namespace

void Surface::raster(ImVec2 left_top, const Raster& raster)
{
    for (int y = 0; y < raster.height(); ++y) {
        const std::span<const Colour> row = raster.row(y);
        const float top = left_top.y + static_cast<float>(y);
        for (auto from = row.begin(); from != row.end();) {
            const auto until = std::find_if(from, row.end(), [&](Colour colour) { return colour != *from; });
            const auto x = [&](auto at) { return left_top.x + static_cast<float>(at - row.begin()); };
            fill({{x(from), top}, {x(until), top + 1}}, *from);
            from = until;
        }
    }
}

void ImGuiSurface::fill(const Box& box, Colour colour, float rounding)
{
    constexpr float large = 10'000; // area in pixels above which clearing is cheaper
    if (rounding == 0 && colour >> 24 == 0xff && area_in_sight(*list_, box) > large)
        return draw::fill_opaque(*list_, box.min, box.max, colour);
    list_->AddRectFilled(box.min, box.max, colour, rounding);
}

void ImGuiSurface::outline(const Box& box, Colour colour, float thick)
{
    list_->AddRect(box.min, box.max, colour, 0, 0, thick);
}

void ImGuiSurface::line(std::span<const ImVec2> points, Colour colour, float thick, bool closed)
{
    list_->AddPolyline(points.data(), static_cast<int>(points.size()), colour,
                       closed ? ImDrawFlags_Closed : ImDrawFlags_None, thick);
}

void ImGuiSurface::polygon(std::span<const ImVec2> convex, Colour colour)
{
    list_->AddConvexPolyFilled(convex.data(), static_cast<int>(convex.size()), colour);
}

void ImGuiSurface::circle(ImVec2 centre, float radius, Colour colour)
{
    list_->AddCircleFilled(centre, radius, colour);
}

void ImGuiSurface::ring(ImVec2 centre, float radius, Colour colour, float thick)
{
    list_->AddCircle(centre, radius, colour, 0, thick);
}

void ImGuiSurface::text(ImFont* font, ImVec2 left_top, Colour colour, std::string_view words)
{
    draw::text(list_, font, left_top, colour, words);
}

void ImGuiSurface::image(unsigned texture, const Box& box)
{
    // Without blending, a software renderer takes two thirds of the time.
    list_->AddCallback([](const ImDrawList*, const ImDrawCmd*) { glDisable(GL_BLEND); }, nullptr);
    list_->AddImage(reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(texture)), box.min, box.max);
    list_->AddCallback([](const ImDrawList*, const ImDrawCmd*) { glEnable(GL_BLEND); }, nullptr);
}

void ImGuiSurface::push_clip(const Box& box)
{
    list_->PushClipRect(box.min, box.max, true);
}

void ImGuiSurface::pop_clip()
{
    list_->PopClipRect();
}

void ImGuiSurface::raster(ImVec2 left_top, const Raster& raster)
{
    list_->AddImage(
        reinterpret_cast<ImTextureID>(static_cast<intptr_t>(raster.texture())), left_top,
        {left_top.x + static_cast<float>(raster.width()), left_top.y + static_cast<float>(raster.height())});
}

} // namespace viz
