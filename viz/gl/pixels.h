// A picture of many plain rectangles, painted on the CPU when something changed and shown as one texture: thousands of
// rectangles a frame are too many for a software renderer. Needs a current OpenGL context.
#pragma once

#include "viz/gl/handle.h"
#include "viz/theme.h"

#include <vector>

namespace viz::gl {

class Pixels {
public:
    // All of it in one colour.
    void clear(int width, int height, Colour colour);
    // From (left, top) up to (right, bottom), which are cut off where the picture ends; at least one pixel wide.
    void fill(float left, float top, float right, float bottom, Colour colour);
    void upload();

    int width() const { return width_; }
    int height() const { return height_; }
    GLuint texture() const { return texture_.id(); }

private:
    int width_ = 0, height_ = 0;
    std::vector<Colour> pixels_; // row-major, the first row at the top
    Texture texture_;
};

} // namespace viz::gl
