// A picture of pixels that is painted anew only where what it was painted from has changed.
#pragma once

#include "viz/draw/draw.h"
#include "viz/gl/pixels.h"

#include <cstdint>
#include <optional>

namespace viz {

// Key: all that the picture is painted from, with ==. A pointer in it says nothing of what became of the thing it points to: whoever
// exchanges that calls of.reset().
template <class Key>
struct KeptPixels {
    std::optional<Key> of; // nothing: not painted yet
    gl::Pixels pixels;

    // Whether it must be painted; it is of `now` then.
    bool renew(const Key& now)
    {
        if (of == now)
            return false;
        of = now;
        return true;
    }
};

inline void show_pixels(ImDrawList* list, const gl::Pixels& pixels, const draw::Box& box)
{
    list->AddImage(reinterpret_cast<ImTextureID>(static_cast<intptr_t>(pixels.texture())), box.min, box.max);
}

} // namespace viz
