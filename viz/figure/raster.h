// A picture of many rectangles, painted on the CPU when it changes, and shown as one texture. Software renderers cannot
// draw thousands of rectangles in each frame. Only texture() needs a current OpenGL context.
#pragma once

#include "viz/draw/draw.h"
#include "viz/gl/handle.h"
#include "viz/theme.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace viz {

// A picture of pixels, which is uploaded as a texture when it is shown.
class Raster {
public:
    // Fills the whole picture with one colour.
    void clear(int width, int height, Colour colour);
    // Fills a box, in pixels from the upper left corner. It is clipped to the picture, and at least one pixel wide.
    void fill(const draw::Box& box, Colour colour);
    // Replaces the picture. The pixels are row-major, top row first.
    void show(int width, int height, const std::vector<Colour>& pixels);

    int width() const { return width_; }
    int height() const { return height_; }
    std::span<const Colour> row(int y) const
    {
        return std::span(pixels_).subspan(static_cast<std::size_t>(y) * static_cast<std::size_t>(width_),
                                          static_cast<std::size_t>(width_));
    }
    GLuint texture() const; // the current pixels

private:
    int width_ = 0, height_ = 0;
    std::vector<Colour> pixels_;
    mutable gl::Texture texture_;
    mutable bool uploaded_ = false;
};

// Caches the picture of a layer of lanes. It is painted again when the time axis, the size or the theme changes. Other
// intervals need another LaneRaster.
struct LaneRaster {
    struct Key {
        double least = 0, most = 1;
        std::vector<float> edges; // size of the picture, and the top of each row
        float scale = 1;
        bool dark = true;
        friend bool operator==(const Key&, const Key&) = default;
    };
    Key key;
    Raster raster;
    std::vector<std::pair<std::size_t, std::size_t>> wide; // (row, interval) pairs that are wide enough for words
};

} // namespace viz
