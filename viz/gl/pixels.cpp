#include "viz/gl/pixels.h"

#include <algorithm>
#include <cmath>

namespace viz::gl {

void Pixels::clear(int width, int height, Colour colour)
{
    width_ = std::max(1, width);
    height_ = std::max(1, height);
    pixels_.assign(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), colour);
}

void Pixels::fill(float left, float top, float right, float bottom, Colour colour)
{
    const auto place = [](float at, int most) { return std::clamp(static_cast<int>(std::lround(at)), 0, most); };
    const int x0 = place(left, width_ - 1), x1 = std::max(x0 + 1, place(right, width_));
    const int y0 = place(top, height_), y1 = place(bottom, height_);
    for (int y = y0; y < y1; ++y)
        std::fill_n(pixels_.begin() + static_cast<std::ptrdiff_t>(y) * width_ + x0, x1 - x0, colour);
}

void Pixels::upload()
{
    if (!texture_)
        texture_ = Texture::make();
    glBindTexture(GL_TEXTURE_2D, texture_.id());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width_, height_, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels_.data());
    glBindTexture(GL_TEXTURE_2D, 0);
}

} // namespace viz::gl
