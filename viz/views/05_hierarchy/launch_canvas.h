// The plan of a launch, from the whole grid down to one thread without a break: blocks, in them the warps' colours, in
// those the threads, each printed as soon as there is room.
#pragma once

#include "viz/marks.h"
#include "viz/views/05_hierarchy/launch_side.h"

#include <functional>

namespace viz {

struct LaunchPicture {
    const LaunchSide& side;
    std::function<void(const draw::Box&)> inside; // draws what the selected thread writes, in its cell; may be empty
    const Theme& theme;
    Marks* marks = nullptr;
};

// Room to be left above the box for the names of the uppermost blocks.
float name_height(const Theme& theme);
void draw_launch(ImDrawList* list, const draw::Box& box, const LaunchPicture& picture);

// What keys and clicks zoom to.
PanZoom::Rect rect_of_block(const Plan& plan, uint64_t block);
PanZoom::Rect rect_of_warp(const Plan& plan, ThreadRef thread);
PanZoom::Rect rect_of_thread(const Plan& plan, ThreadRef thread);

} // namespace viz
