// A figure as a PDF of one page, with embedded fonts and selectable text.
#pragma once

#include "app/pictures/picture.h"

#include "viz/figure/surface.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace app {

class PdfSurface final : public viz::Surface {
public:
    using Surface::fill;
    using Surface::line;
    struct Look {
        float width = 0, height = 0; // in units of 1/96 inch
        std::string title;
        std::optional<viz::Colour> background; // empty: transparent
    };
    // Throws kernels::Error.
    PdfSurface(const Look& look, ReadTexture read_texture);
    ~PdfSurface() override;

    void fill(const viz::Box& box, viz::Colour colour, float rounding) override;
    void outline(const viz::Box& box, viz::Colour colour, float thick) override;
    void line(std::span<const ImVec2> points, viz::Colour colour, float thick, bool closed) override;
    void polygon(std::span<const ImVec2> convex, viz::Colour colour) override;
    void circle(ImVec2 centre, float radius, viz::Colour colour) override;
    void ring(ImVec2 centre, float radius, viz::Colour colour, float thick) override;
    void text(ImFont* font, ImVec2 left_top, viz::Colour colour, std::string_view words) override;
    void image(unsigned texture, const viz::Box& box) override;
    void push_clip(const viz::Box& box) override;
    void pop_clip() override;

    // Ends the page and returns the PDF. Throws kernels::Error if it could not be made.
    std::vector<std::byte> pdf();

private:
    struct Page; // holds cairo's objects
    std::unique_ptr<Page> page_;
};

} // namespace app
