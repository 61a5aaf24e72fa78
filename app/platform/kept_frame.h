// Draws of each frame only what differs from the frame before. For renderers in software: they pay for each pixel with processor time,
// and while a recording plays, most of the window stays as it is. A unit of ImGui's is a pixel here, as it is on X11.
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

// Finds what differs between frames by their triangles: in each tile of the window, a hash of all that touches it.
class FrameChanges {
public:
    // Returns boxes without overlap that contain every difference to the frame that was passed before; all of the frame at first, and
    // where its size is another. `fonts` is the texture that never changes; the pixels of others are taken to be different.
    std::vector<PixelBox> since_last(const ImDrawData& frame, PixelBox whole, ImTextureID fonts);

private:
    PixelBox whole_;
    std::vector<uint64_t> tiles_; // row by row; 0: has what is always taken to be different
};

// Draws what lies in the boxes into the bound framebuffer, which is that high, and leaves the other pixels as they are. The frame then
// has only what was drawn.
void draw_within(ImDrawData& frame, std::span<const PixelBox> boxes, int height, viz::Colour background);

class KeptFrame {
public:
    // Null where OpenGL does not draw in software, or where what was drawn before does not stay in the back buffer: X11 with
    // Mesa copies parts of it to the window instead of swapping.
    static std::unique_ptr<KeptFrame> of_current_context();

    // Draws what differs into the window's framebuffer of this size in pixels, and shows it. False: it is not shown yet and the
    // buffers must be swapped, as Mesa asks for the window's new size only then.
    bool draw(ImDrawData& frame, int width, int height, viz::Colour background);
    void forget() { changes_ = {}; } // the next frame is drawn whole: new fonts, or the screen lost what was shown

private:
    using CopyPart = void (*)(void* display, unsigned long drawable, int x, int y, int width, int height);

    KeptFrame(void* display, unsigned long drawable, CopyPart copy_part)
        : display_(display), drawable_(drawable), copy_part_(copy_part)
    {
    }

    void* display_; // X11's, and its number of the window
    unsigned long drawable_;
    CopyPart copy_part_;
    PixelBox size_;
    FrameChanges changes_;
};

} // namespace app
