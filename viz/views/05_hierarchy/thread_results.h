// What a thread writes of C, inside its cell of the plan: each element with its value, and of one that is large enough the sum
// that it is.
#pragma once

#include "viz/draw/draw.h"
#include "viz/marks.h"
#include "viz/view.h"
#include "viz/views/05_hierarchy/launch_canvas.h"

#include <optional>
#include <string>
#include <vector>

namespace viz {

struct ThreadElements {
    std::vector<Cell> cells; // of the thread
    std::optional<Cell> chosen;
};

// Of the selected thread of a launch that was recorded.
ThreadElements elements_of(const LaunchSide& side, const Selection& selection);

struct ThreadResults : ThreadElements {
    const recording::Recording& recording;
    std::string name; // the thread's
    const Theme& theme;
    Marks* marks = nullptr;
};

// Below the thread's own name; nothing is drawn where an element would have no room for its name.
void draw_results(ImDrawList* list, const draw::Box& thread, const ThreadResults& results);

// How many products add up to an element of C; 0: it is no sum of products.
uint32_t products_of(const recording::Recording& recording);

std::optional<Cell> result_under(const draw::Box& thread, const ThreadResults& results, ImVec2 mouse);

// The place of an element in the plan, for what zooms to it.
PanZoom::Rect rect_of_result(const Plan& plan, ThreadRef thread, const ThreadElements& results, const Cell& cell);

} // namespace viz
