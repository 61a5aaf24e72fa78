// Draws only the parts of a frame that differ from the frame before. Software renderers spend processor time on each
// pixel, and during playback most of the window does not change. One unit of ImGui is one pixel here, as on X11.
#pragma once

#include "viz/theme.h"

#include <imgui.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace app {

// Pixels of a frame, from its top left; right and bottom are the first that do not belong to it.
struct PixelBox {
    int left = 0, top = 0, right = 0, bottom = 0;

    bool operator==(const PixelBox&) const = default;
};

// Finds the differences between frames. Divides the window into tiles and keeps, for each tile, a hash of all triangles
// that touch it.
class FrameChanges {
public:
    // Returns boxes, without overlap, that contain every difference from the previous frame. Returns the whole frame
    // the first time and after a change of size. `fonts` is the texture that never changes; areas with other textures
    // are always reported as different.
    std::vector<PixelBox> since_last(const ImDrawData& frame, PixelBox whole, ImTextureID fonts);

private:
    PixelBox whole_;
    std::vector<uint64_t> tiles_; // row by row; 0: the tile is always reported as different
};

// Draws the contents of the boxes into the bound framebuffer, whose height is given, and leaves the other pixels
// unchanged. Afterwards the frame contains only what was drawn.
void draw_within(ImDrawData& frame, std::span<const PixelBox> boxes, int height, viz::Colour background);

class KeptFrame {
public:
    // Returns null if OpenGL does not render in software, or if the back buffer does not keep its contents. With Mesa
    // on X11 it keeps them, because parts are copied to the window instead of swapping the buffers.
    static std::unique_ptr<KeptFrame> of_current_context();

    // Draws the differences into the window's framebuffer, whose size in pixels is given, and shows them. Returns false
    // if the caller must swap the buffers to show them: after a change of size, because Mesa reads the new size only
    // then.
    bool draw(ImDrawData& frame, int width, int height, viz::Colour background);
    void forget() { changes_ = {}; } // draws the next frame whole, for new fonts or after the screen lost the contents

private:
    using CopyPart = void (*)(void* display, unsigned long drawable, int x, int y, int width, int height);

    KeptFrame(void* display, unsigned long drawable, CopyPart copy_part)
        : display_(display), drawable_(drawable), copy_part_(copy_part)
    {
    }

    void* display_;          // X11's Display
    unsigned long drawable_; // X11's identifier of the window
    CopyPart copy_part_;
    PixelBox size_;
    FrameChanges changes_;
};

} // namespace app
