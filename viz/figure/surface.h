// The drawing target of a figure: some kinds of shapes, and text. The window's surface is ImGui's draw list. Exporters
// have surfaces that write files. Positions are pixels from the upper left corner. A fully transparent colour draws
// nothing.
#pragma once

#include "viz/draw/draw.h"
#include "viz/theme.h"

#include <imgui.h>

#include <span>
#include <string_view>

namespace viz {

class Raster; // viz/figure/raster.h

using draw::Box;

// The interface of a drawing target.
class Surface {
public:
    virtual ~Surface() = default;
    virtual void fill(const Box& box, Colour colour, float rounding) = 0;
    void fill(const Box& box, Colour colour) { fill(box, colour, 0); }
    virtual void outline(const Box& box, Colour colour, float thick) = 0; // centred on the box's edge
    virtual void line(std::span<const ImVec2> points, Colour colour, float thick, bool closed) = 0;
    void line(ImVec2 from, ImVec2 until, Colour colour, float thick)
    {
        const ImVec2 points[] = {from, until};
        line(points, colour, thick, false);
    }
    virtual void polygon(std::span<const ImVec2> convex, Colour colour) = 0;
    virtual void circle(ImVec2 centre, float radius, Colour colour) = 0;            // filled
    virtual void ring(ImVec2 centre, float radius, Colour colour, float thick) = 0; // an unfilled circle
    virtual void text(ImFont* font, ImVec2 left_top, Colour colour, std::string_view words) = 0;
    virtual void image(unsigned texture, const Box& box) = 0; // an opaque OpenGL texture, its first row at the top
    virtual void push_clip(const Box& box) = 0;               // intersects with the previous clip box
    virtual void pop_clip() = 0;
    // Draws a picture of pixels at left_top. A surface without pictures draws each run of one colour as a rectangle.
    virtual void raster(ImVec2 left_top, const Raster& raster);
};

class ImGuiSurface final : public Surface {
public:
    using Surface::fill;
    using Surface::line;
    explicit ImGuiSurface(ImDrawList* list) : list_(list) {}
    // Large opaque boxes use the cheaper fill_opaque().
    void fill(const Box& box, Colour colour, float rounding) override;
    void outline(const Box& box, Colour colour, float thick) override;
    void line(std::span<const ImVec2> points, Colour colour, float thick, bool closed) override;
    void polygon(std::span<const ImVec2> convex, Colour colour) override;
    void circle(ImVec2 centre, float radius, Colour colour) override;
    void ring(ImVec2 centre, float radius, Colour colour, float thick) override;
    void text(ImFont* font, ImVec2 left_top, Colour colour, std::string_view words) override;
    void image(unsigned texture, const Box& box) override;
    void push_clip(const Box& box) override;
    void pop_clip() override;
    void raster(ImVec2 left_top, const Raster& raster) override;

private:
    ImDrawList* list_;
};

} // namespace viz
