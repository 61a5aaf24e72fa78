// The levels of memory: their sizes, latencies and bandwidths, and what a stage keeps at each.
#pragma once

#include "viz/views/06_gpu/gpu_pictures.h"

#include <vector>

namespace viz {

// What is kept at a level, against the room there.
struct LevelContents {
    struct Part {
        std::string name;
        double bytes = 0;
    };
    std::string level; // its name
    double room = 0;
    std::vector<Part> parts;
    Colour colour = 0;
    Message message;
};

// A row for each level, nearest first, and in it bars of what is kept there. Fills the box; marks "level:NAME" and
// "share:PART".
void draw_levels(const GpuPicture& picture, const std::vector<LevelContents>& kept, const draw::Box& box);

} // namespace viz
