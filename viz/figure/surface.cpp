#include "viz/figure/surface.h"

namespace viz {

void ImGuiSurface::fill(const Box& box, Colour colour, float rounding)
{
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

void ImGuiSurface::push_clip(const Box& box)
{
    list_->PushClipRect(box.min, box.max, true);
}

void ImGuiSurface::pop_clip()
{
    list_->PopClipRect();
}

} // namespace viz
