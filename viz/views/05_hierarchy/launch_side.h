// What the hierarchy view has of one launch, a stage's or a typed one, and what is said of it (assets/text/hierarchy.md).
#pragma once

#include "viz/analysis/hierarchy.h"
#include "viz/background.h"
#include "viz/draw/pan_zoom.h"
#include "viz/theme.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace viz {

// A thread of the launch; the block need not be a recorded one.
struct ThreadRef {
    uint64_t block = 0;
    uint32_t thread = 0;
};

struct LaunchSide {
    std::shared_ptr<const recording::Recording> recording; // null: typed by hand
    Plan plan;
    std::vector<std::vector<CellRect>> warps; // warp_rects(plan)
    PanZoom camera;
    ThreadRef selected;
    std::optional<IdleThreads> idle; // once it is known
    std::optional<bool> usual;       // likewise, see usual_mapping(): else no formula is said

    void update(const std::shared_ptr<const recording::Recording>& wanted);
    void update(const recording::Launch& launch, bool swapped);
    bool settled() const { return !work.busy() && !camera.gliding(); }

    // What the thread writes of C, in words: "C(3, 5)", "64 of C"; typed: its element by the usual mapping.
    std::string element(ThreadRef thread) const;
    std::vector<Cell> owned(ThreadRef thread) const;

private:
    void use(const Plan& next);

    struct Owners { // what they say of the launch
        IdleThreads idle;
        std::optional<bool> usual;
    };
    Background<Owners> work;
    mutable std::optional<uint64_t> owned_block; // that `owned_cells` are of
    mutable std::vector<OwnedCell> owned_cells;
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
