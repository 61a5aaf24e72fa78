// What the hierarchy view has of one launch, a stage's or a typed one, and the sentences about it.
#pragma once

#include "viz/draw/background.h"
#include "viz/draw/focus.h"
#include "viz/views/05_hierarchy/launch_canvas.h"

#include <memory>
#include <optional>

namespace viz {

struct LaunchSide {
    std::shared_ptr<const recording::Recording> recording; // null: typed by hand
    Plan plan;
    std::vector<std::vector<CellRect>> warps;
    PanZoom camera;
    ThreadRef selected;
    std::optional<IdleThreads> idle; // once it is known

    void update(const std::shared_ptr<const recording::Recording>& wanted);
    void update(const recording::Launch& launch, bool swapped);
    bool settled() const { return !work.busy() && !camera.gliding(); }

    // What the thread writes of C, in words: "C(3, 5)", "64 of C"; typed: its element by the usual mapping.
    std::string element(ThreadRef thread) const;
    std::vector<Cell> owned(ThreadRef thread) const;

private:
    void use(const Plan& next);

    Background<IdleThreads> work;
    mutable std::optional<uint64_t> owned_block; // that `owned_cells` are of
    mutable std::vector<OwnedCell> owned_cells;
};

// "8 blocks of 128 threads: 1,024 threads in 32 warps ...", with the surplus ones.
Prose launch_sentence(const Theme& theme, const LaunchSide& side);

// How a block fills its warps, or not.
Prose warp_sentence(const Theme& theme, const LaunchSide& side);

// The selected thread from the grid down to its element, with the arithmetic.
Prose path_sentence(const Theme& theme, const LaunchSide& side);

// Typed launches: what a warp touches, with x along the columns and along the rows.
Prose swap_sentence(const Theme& theme, const LaunchSide& side);

} // namespace viz
