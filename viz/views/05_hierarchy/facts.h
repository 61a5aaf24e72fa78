// What the hierarchy view has of one launch, a stage's or a typed one: where one is in it, what is said of it, and its pictures.
#pragma once

#include "viz/analysis/hierarchy.h"
#include "viz/draw/pan_zoom.h"
#include "viz/figure/figure.h"
#include "viz/stage_column.h"
#include "viz/text/rich.h"
#include "viz/theme.h"

#include <array>
#include <cstdint>
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

// Where in a launch a person is. It stays when the recording becomes another one.
struct LaunchPlace {
    PanZoom camera;
    ThreadRef selected;
};

Plan typed_plan(const recording::Launch& launch, bool swapped);

// Good for one frame; what it refers to is kept by the column and by the view.
struct LaunchSide {
    // The thread of `place` is brought into the launch.
    LaunchSide(const StageColumn& stage, LaunchPlace& place);
    LaunchSide(const Plan& typed, LaunchPlace& place);

    const StageColumn* column = nullptr;             // null: typed by hand
    const recording::Recording* recording = nullptr; // likewise
    const Plan& plan;
    PanZoom& camera;
    ThreadRef& selected;
    const IdleThreads* idle = nullptr; // null until it is known
    std::optional<bool> usual = {};    // see usual_mapping(): else no formula is said
    std::vector<Cell> written;         // of C, by the selected thread
    // Of the view.
    std::optional<Cell> chosen = {}; // one of these
    int level = 0;                   // that is zoomed to: the grid, the block, the warp, the thread, one of its results
    std::function<void(const ViewScene&, ThreadRef)> select = {}; // what clicks do
    std::function<void(const ViewScene&, int)> go_to = {};        // a level

    uint32_t warp() const { return selected.thread / recording::warp_size; }
    uint32_t lane() const { return selected.thread % recording::warp_size; }
    const IdleSet* idle_in(uint64_t block) const { return idle != nullptr ? idle->of(block) : nullptr; }
    bool is_surplus(ThreadRef thread) const;
    std::vector<Cell> owned(ThreadRef thread) const; // of C
    // Of a mark: that of the first stage, or of the typed launch, is the thing's alone.
    std::string name(const std::string& thing) const;
};

// How many products add up to an element of C; 0: it is no sum of products.
uint32_t products_of(const recording::Recording& recording);
std::string result_name(const LaunchSide& side, const Cell& element); // "C(3, 5)"
// Empty where it is not known, or where the sums of so many elements take longer than a frame.
std::string result_value(const LaunchSide& side, const Cell& element, std::size_t elements);

Rich headline(const LaunchSide& side);

// From the grid to the selected thread's element, each in words and for little room.
struct PathStep {
    std::string words, brief;
};
std::array<PathStep, 5> path_steps(const LaunchSide& side);
// The ids of a thread, one below the other: all of them with what they are, or three.
std::vector<std::string> thread_lines(const LaunchSide& side, ThreadRef thread, bool all);

// The selected thread from the grid down to its element, with the arithmetic.
Rich path_words(const LaunchSide& side);
// These, and what is launched, how its blocks fill their warps, and what swapping x and y does to a typed launch: a paragraph each.
std::vector<Rich> paragraphs(const Theme& theme, const LaunchSide& side);
// What lies under the mouse: a block and, where that shows them, one of its threads.
Rich point_words(const LaunchSide& side, uint64_t block, std::optional<uint32_t> thread);
Rich lane_words(const LaunchSide& side, uint32_t lane); // of the selected warp
Rich result_words(const LaunchSide& side, const Cell& element);

// What is zoomed to, in cells of the plan.
PanZoom::Rect rect_of_block(const Plan& plan, uint64_t block);
PanZoom::Rect rect_of_warp(const Plan& plan, ThreadRef thread);
PanZoom::Rect rect_of_thread(const Plan& plan, ThreadRef thread);
PanZoom::Rect rect_of_result(const LaunchSide& side, const Cell& element); // in the selected thread's cell

// The steps from the grid to the element, one after the other; a click zooms there. Marks "path 0" to "path 4".
Panel path_panel(const Theme& theme, const LaunchSide& side, const Box& box);
float path_height(const Theme& theme);

// The plan from the whole grid down to one thread without a break: blocks, in them the warps' colours, in those the threads, each
// printed as soon as there is room, and in the selected thread what it writes of C, at last as the sum that it is. The camera shows it
// below the room for the names of the uppermost blocks. Marks "plan", "plan of 16x16", "plan of 16x16 swapped", "thread",
// "sum of C(0, 0)".
Panel plan_panel(const Theme& theme, const LaunchSide& side, const Box& box);
Box plan_box(const Theme& theme, const Box& box); // that the camera shows it in

} // namespace viz
