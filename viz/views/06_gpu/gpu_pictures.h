// The pictures of the view of the GPU: its SMs, what is inside one, and the roofs that its factors make.
#pragma once

#include "viz/analysis/gpu_levels.h"
#include "viz/draw/draw.h"
#include "viz/view.h"

namespace viz {

struct GpuPicture {
    ViewFrame& frame;
    const recording::GpuProperties& gpu;
    const recording::GpuMeasurement* measured = nullptr;
    const TypedGpu& typed; // by which the calculator goes: this GPU, or another
    bool other = false;    // it is another
};

// A row above a picture, `brief` where the box is too narrow for the words; amber where it is about the measured GPU while
// another one is typed. Returns the height.
float draw_gpu_label(const GpuPicture& picture, const draw::Box& box, const Message& words, const Message& brief,
                     bool of_measured);

// All SMs, by groups where they are known. Fills the box.
void draw_sm_map(const GpuPicture& picture, const draw::Box& box);

// Four schedulers with their lanes, tensor core and registers, above shared memory and L1. Fills the box.
void draw_sm_inside(const GpuPicture& picture, const draw::Box& box);

// Bandwidth's slope and the peak, and the ridge where they meet.
void draw_ridge(const GpuPicture& picture, const draw::Box& box);

} // namespace viz
