// A picture of pixels that is painted anew only where what it was painted from has changed.
#pragma once

#include "viz/draw/draw.h"
#include "viz/gl/pixels.h"

#include <cmath>
#include <cstdint>
#include <optional>

namespace viz {

inline draw::Box rounded_box(const draw::Box& box)
{
    return {{std::round(box.min.x), std::round(box.min.y)}, {std::round(box.max.x), std::round(box.max.y)}};
}

// Key: all that the picture is painted from, but for its size and the theme, with ==. A pointer in it says nothing of what became of
// the thing it points to: whoever exchanges that calls reset().
template <class Key>
class KeptPixels {
public:
    void reset() { of_.reset(); }

    // Fills the area, which is as wide and as high as whole pixels. Where it must be painted anew, `paint` is called with a function that
    // fills a box on the screen with a colour; what it leaves has the colour of the ground.
    template <class Paint>
    void show(const Theme& theme, const draw::Box& area, Colour ground, const Key& key, const Paint& paint)
    {
        const Of now{key, static_cast<int>(std::lround(area.width())), static_cast<int>(std::lround(area.height())),
                     theme.scale, theme.dark};
        if (of_ != now) {
            of_ = now;
            pixels_.clear(now.width, now.height, ground);
            paint([&](const draw::Box& box, Colour colour) {
                pixels_.fill(box.min.x - area.min.x, box.min.y - area.min.y, box.max.x - area.min.x,
                             box.max.y - area.min.y, colour);
            });
            pixels_.upload();
        }
        ImGui::GetWindowDrawList()->AddImage(reinterpret_cast<ImTextureID>(static_cast<intptr_t>(pixels_.texture())),
                                             area.min, area.max);
    }

private:
    struct Of {
        Key key;
        int width = 0, height = 0;
        float scale = 1;
        bool dark = true;
        friend bool operator==(const Of&, const Of&) = default;
    };
    std::optional<Of> of_; // nothing: not painted yet
    gl::Pixels pixels_;
};

} // namespace viz
