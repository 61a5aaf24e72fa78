// Facts, texts and pictures of the hierarchy view for one launch: that of a stage, or a typed one.
#pragma once

#include "viz/analysis/hierarchy.h"
#include "viz/analysis/host_calls.h"
#include "viz/draw/camera.h"
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

// A thread of the launch. Its block may not have been recorded.
struct ThreadRef {
    uint64_t block = 0;
    uint32_t thread = 0;
    friend bool operator==(const ThreadRef&, const ThreadRef&) = default;
};

// The user's position in a launch, which is kept when the recording changes.
struct LaunchPlace {
    PanZoom camera;
    ThreadRef selected;
};

Plan typed_plan(const recording::Launch& launch, bool swapped);

// One launch, for one frame. The column and the view own the data that it refers to.
struct LaunchSide {
    // Limits the thread of `place` to the launch.
    LaunchSide(const StageColumn& stage, LaunchPlace& place);
    LaunchSide(const Plan& typed, LaunchPlace& place);

    const StageColumn* column = nullptr;             // null for a typed launch
    const recording::Recording* recording = nullptr; // null for a typed launch
    const Plan& plan;
    PanZoom& camera;
    ThreadRef& selected;
    const IdleThreads* idle = nullptr; // null until known
    std::optional<bool> usual = {};    // see usual_mapping(); formulas are shown only if it is set
    std::vector<Cell> written;         // elements of C written by the selected thread
    // Set by the view.
    std::optional<Cell> chosen = {}; // one of `written`
    int level = 0;                   // of the zoom: the grid, the block, the warp, the thread, one of its results
    std::function<void(const ViewScene&, ThreadRef)> select = {}; // run by clicks
    std::function<void(const ViewScene&, int)> go_to = {};        // gets a level

    uint32_t warp() const { return selected.thread / recording::warp_size; }
    uint32_t lane() const { return selected.thread % recording::warp_size; }
    const IdleSet* idle_in(uint64_t block) const { return idle != nullptr ? idle->of(block) : nullptr; }
    bool is_surplus(ThreadRef thread) const;
    bool is_unknown(uint64_t block) const;           // whether the trace does not say what the block's threads store
    std::vector<Cell> owned(ThreadRef thread) const; // elements of C
    // Returns the name of a mark. It has no suffix for the first stage and for the typed launch.
    std::string name(const std::string& thing) const;
};

// Returns the number of products that an element of C is the sum of, or 0 if it is no such sum.
uint32_t products_of(const recording::Recording& recording);
std::string result_name(const LaunchSide& side, const Cell& element); // "C(3, 5)"
// Returns an empty string if the value is not known, or if summing so many elements takes longer than a frame.
std::string result_value(const LaunchSide& side, const Cell& element, std::size_t elements);

Rich headline(const LaunchSide& side);
Colour unknown_colour(const Theme& theme); // of blocks whose stores are not known

// One step of the path from the grid to the selected thread's element, with a short form.
struct PathStep {
    std::string words, brief;
};
std::array<PathStep, 5> path_steps(const LaunchSide& side);
// Returns the ids of a thread, one per line: all of them with explanations, or only three.
std::vector<std::string> thread_lines(const LaunchSide& side, ThreadRef thread, bool all);

// Describes the selected thread from the grid down to its element, with the arithmetic.
Rich path_words(const LaunchSide& side);
// Returns path_words(), followed by paragraphs about the launch, how its blocks fill their warps, and the effect of
// swapping x and y in a typed launch.
std::vector<Rich> paragraphs(const Theme& theme, const LaunchSide& side);
// Describes the block under the mouse and, if threads are shown, its thread.
Rich point_words(const LaunchSide& side, uint64_t block, std::optional<uint32_t> thread);
Rich lane_words(const LaunchSide& side, uint32_t lane); // lane of the selected warp
Rich result_words(const LaunchSide& side, const Cell& element);

// Targets of the zoom, in cells of the plan. rect_of_cells() takes cells relative to the block's upper left corner.
PanZoom::Rect rect_of_cells(const Plan& plan, uint64_t block, const CellRect& cells);
PanZoom::Rect rect_of_block(const Plan& plan, uint64_t block);
PanZoom::Rect rect_of_warp(const Plan& plan, ThreadRef thread);
PanZoom::Rect rect_of_thread(const Plan& plan, ThreadRef thread);
PanZoom::Rect rect_of_result(const LaunchSide& side, const Cell& element); // in the selected thread's cell

// Shows the steps from the grid to the element in a row. A click zooms to a step. Marks "path 0" to "path 4".
Panel path_panel(const Theme& theme, const LaunchSide& side, const Box& box);
float path_height(const Theme& theme);

// Shows the plan at any scale from the whole grid to one thread: blocks, in them the warps' colours, in those the
// threads, each printed as soon as there is room. The selected thread shows the elements of C that it writes, and
// finally the sum. Marks "plan", "plan of 16x16", "plan of 16x16 swapped", "thread", "sum of C(0, 0)", and for the arrow
// of threadIdx.x "x to the right" or "x downwards".
Panel plan_panel(const Theme& theme, const LaunchSide& side, const Box& box);
// Returns the box of the camera, below the names of the uppermost blocks.
Box plan_box(const Theme& theme, const Box& box);

// Returns host and device as two lanes over time, in the order of the file's main(): what each does, and which one
// waits.
Panel host_panel(const Theme& theme, const std::string& slug, const std::vector<HostCall>& calls, const draw::Box& box);

} // namespace viz
