// The pictures of the view of the GPU: its SMs, its memory levels, latency over the bytes walked through, and bars of what a
// stage keeps where.
#pragma once

#include "viz/analysis/gpu_levels.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"

#include <optional>
#include <string>
#include <vector>

namespace viz {

struct GpuPicture {
    const recording::GpuProperties& gpu;
    const recording::GpuMeasurement* measured = nullptr;
    const Theme& theme;
    Marks* marks = nullptr;
    std::string& hint;
};

// Each returns its height.
float draw_sm_map(const GpuPicture& picture, const draw::Box& box);
float draw_levels(const GpuPicture& picture, const draw::Box& box);
void draw_latency(const GpuPicture& picture, const draw::Box& box); // as high as the box
struct Segment {
    std::string name;
    double bytes = 0;
};
// A bar of segments against the room there is; over 100% it goes on to the right of the line.
float draw_share(const GpuPicture& picture, const std::string& title, const std::vector<Segment>& segments, double room,
                 Colour colour, const draw::Box& box);

} // namespace viz
