// What the global-memory view draws of one stage, and what is said of it.
#pragma once

#include "viz/analysis/sectors.h"
#include "viz/draw/draw.h"
#include "viz/draw/focus.h"

#include <memory>
#include <optional>
#include <vector>

namespace viz {

// One stage and the place where it is drawn.
struct GlobalPart {
    const StageColumn* stage = nullptr;
    Focus focus;
    const std::vector<Elements>* elements = nullptr; // of the recording
    const std::vector<GlobalUse>* use = nullptr;     // of the block; null while it is being computed
    std::optional<std::size_t> step = {};            // of the global access that is shown
    SectorPicture picture = {};
    draw::Box box;
    Marks* marks = nullptr; // of the first stage alone

    const recording::Access& shown() const { return focus.warp->accesses[*step]; }
    const recording::Array& array() const { return focus.recording->arrays[shown().array]; }
    bool ready() const { return focus.warp && step; }
    bool knows_use() const { return ready() && use != nullptr; }
    draw::Box beside(const draw::Box& all) const { return {{box.min.x, all.min.y}, {box.max.x, all.max.y}}; }
};

// Whether the access is one of these.
bool is_of(const recording::Access& access, const GlobalUse& use);

// "32 sectors, 4 would do", with the step where it is not the selected one.
Message headline(const GlobalPart& part);

// At length: which request is shown, what it moves and why, what the launch moves, what colours mean.
std::vector<Messages> in_words(const Theme& theme, const GlobalPart& part);

Message lane_message(const GlobalPart& part, uint32_t lane);
Message use_message(const GlobalPart& part, const GlobalUse& use);

} // namespace viz
