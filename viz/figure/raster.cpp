#include "viz/figure/raster.h"

#include <algorithm>
#include <cmath>

namespace viz {

void Raster::clear(int width, int height, Colour colour)
{
    width_ = std::max(1, width);
    height_ = std::max(1, height);
    pixels_.assign(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), colour);
    uploaded_ = false;
}

void Raster::fill(const draw::Box& box, Colour colour)
{
    const auto place = [](float at, int most) { return std::clamp(static_cast<int>(std::lround(at)), 0, most); };
    const int x0 = place(box.min.x, width_ - 1), x1 = std::max(x0 + 1, place(box.max.x, width_));
    const int y0 = place(box.min.y, height_), y1 = place(box.max.y, height_);
    for (int y = y0; y < y1; ++y)
        std::fill_n(pixels_.begin() + static_cast<std::ptrdiff_t>(y) * width_ + x0, x1 - x0, colour);
    uploaded_ = false;
}

void Raster::show(int width, int height, const std::vector<Colour>& pixels)
{
    if (width_ == width && height_ == height && pixels_ == pixels)
        return;
    width_ = width;
    height_ = height;
    pixels_ = pixels;
    uploaded_ = false;
}

GLuint Raster::texture() const
{
    if (uploaded_)
        return texture_.id();
    if (!texture_)
        texture_ = gl::Texture::make();
    glBindTexture(GL_TEXTURE_2D, texture_.id());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width_, height_, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels_.data());
    glBindTexture(GL_TEXTURE_2D, 0);
    uploaded_ = true;
    return texture_.id();
}

} // namespace viz
