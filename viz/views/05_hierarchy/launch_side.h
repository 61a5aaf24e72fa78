// What the hierarchy view has of one launch, a stage's or a typed one, and what is said of it (assets/text/hierarchy.md).
#pragma once

#include "viz/analysis/hierarchy.h"
#include "viz/draw/pan_zoom.h"
#include "viz/stage_column.h"
#include "viz/theme.h"

#include <optional>
#include <string>
#include <vector>

namespace viz {

// A thread of the launch; the block need not be a recorded one.
struct ThreadRef {
    uint64_t block = 0;
    uint32_t thread = 0;
};

// Where in a launch a person is. It stays when the recording becomes another one.
struct LaunchPlace {
    PanZoom camera;
    ThreadRef selected;
};

struct LaunchPlan {
    Plan plan;
    std::vector<std::vector<CellRect>> warps; // warp_rects(plan)
};
LaunchPlan typed_plan(const recording::Launch& launch, bool swapped);

// Good for one frame; what it refers to is kept by the column and by the view.
struct LaunchSide {
    // The thread of `place` is brought into the launch.
    LaunchSide(const StageColumn& stage, LaunchPlace& place);
    LaunchSide(const LaunchPlan& typed, LaunchPlace& place);

    const StageColumn* column = nullptr;             // null: typed by hand
    const recording::Recording* recording = nullptr; // likewise
    const Plan& plan;
    const std::vector<std::vector<CellRect>>& warps;
    PanZoom& camera;
    ThreadRef& selected;
    const IdleThreads* idle = nullptr; // null until it is known
    std::optional<bool> usual;         // see usual_mapping(): else no formula is said

    // What the thread writes of C, in words: "C(3, 5)", "64 of C"; typed: its element by the usual mapping.
    std::string element(ThreadRef thread) const;
    std::vector<Cell> owned(ThreadRef thread) const;
    bool has_marks() const { return column == nullptr || column->number == 0; } // they do not say whose they are

private:
    LaunchSide(const LaunchPlan& launch, LaunchPlace& place, const StageColumn* stage);
};

// The one line above the plan.
Message headline(const LaunchSide& side);

// From the grid to the selected thread's element, each in words and, for little room, without.
struct PathStep {
    Message name;
    std::string number; // empty: its words are short
};
std::vector<PathStep> path_steps(const LaunchSide& side);

// Of the launch, with its surplus threads.
Messages launch_messages(const Theme& theme, const LaunchSide& side);

// How a block fills its warps, or not.
Messages warp_messages(const LaunchSide& side);

// The selected thread from the grid down to its element, with the arithmetic.
Message path_message(const LaunchSide& side);

// Typed launches: what a warp touches, with x along the columns and along the rows.
Message swap_message(const LaunchSide& side);

// What lies under the mouse.
Messages point_messages(const LaunchSide& side, const PlanHit& hit);

} // namespace viz
