// A picture of many plain rectangles, painted on the CPU when something changed and shown as one texture: thousands of
// rectangles a frame are too many for a software renderer. Needs a current OpenGL context for the texture alone.
#pragma once

#include "viz/draw/draw.h"
#include "viz/gl/handle.h"
#include "viz/theme.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace viz {

class Raster {
public:
    // All of it in one colour.
    void clear(int width, int height, Colour colour);
    // A box in pixels from the upper left corner, cut off where the picture ends; at least one pixel wide.
    void fill(const draw::Box& box, Colour colour);
    // Row-major, the first row at the top.
    void show(int width, int height, const std::vector<Colour>& pixels);

    int width() const { return width_; }
    int height() const { return height_; }
    std::span<const Colour> row(int y) const
    {
        return std::span(pixels_).subspan(static_cast<std::size_t>(y) * static_cast<std::size_t>(width_),
                                          static_cast<std::size_t>(width_));
    }
    GLuint texture() const; // of the pixels as they are now

private:
    int width_ = 0, height_ = 0;
    std::vector<Colour> pixels_;
    mutable gl::Texture texture_;
    mutable bool uploaded_ = false;
};

// The rows of lanes, painted for an axis of time, a size and a theme, until one of these changes. It belongs to the facts of its
// lanes: who shows other facts makes another one.
struct LaneRaster {
    struct Key {
        double least = 0, most = 1;
        std::vector<float> edges; // of the picture, and where its rows begin
        float scale = 1;
        bool dark = true;
        friend bool operator==(const Key&, const Key&) = default;
    };
    Key key;
    Raster raster;
    std::vector<std::pair<std::size_t, std::size_t>> wide; // (row, interval) where words may have room
};

} // namespace viz
