// The plan of a launch, from the whole grid down to one thread without a break: blocks, in them the warps' colours, in
// those the threads, each printed as soon as there is room.
#pragma once

#include "viz/analysis/hierarchy.h"
#include "viz/draw/pan_zoom.h"
#include "viz/marks.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace viz {

// A thread of the launch; the block need not be a recorded one.
struct ThreadRef {
    uint64_t block = 0;
    uint32_t thread = 0;
    friend bool operator==(const ThreadRef&, const ThreadRef&) = default;
};

struct LaunchPicture {
    const Plan& plan;
    const std::vector<std::vector<CellRect>>& warps; // warp_rects(plan)
    const IdleThreads* idle = nullptr;               // null: not known
    ThreadRef selected;
    std::function<std::string(ThreadRef)> element; // "C(3, 5)"; called for cells with room for it
    std::function<void(const draw::Box&)> inside;  // draws what the selected thread writes, in its cell; may be empty
    const Theme& theme;
    Marks* marks = nullptr;
};

// Room to be left above the box for the names of the uppermost blocks.
float name_height(const Theme& theme);
void draw_launch(ImDrawList* list, const draw::Box& box, const PanZoom& camera, const LaunchPicture& picture);

// What keys and clicks zoom to.
PanZoom::Rect rect_of_block(const Plan& plan, uint64_t block);
PanZoom::Rect rect_of_warp(const Plan& plan, ThreadRef thread);
PanZoom::Rect rect_of_thread(const Plan& plan, ThreadRef thread);

} // namespace viz
