// What is said of a step that moves values between registers, and of the registers of a thread.
#pragma once

#include "viz/analysis/fragments.h"
#include "viz/analysis/matrix_fragments.h"
#include "viz/analysis/timeline.h"
#include "viz/text/message.h"

#include "recording/recording.h"

#include <optional>
#include <vector>

namespace viz {

struct ShownStep {
    const recording::Recording& recording;
    const recording::WarpTrace& warp;
    uint32_t warp_index = 0;
    std::size_t step = 0;
    uint32_t lane = 0; // selected
    const std::vector<Phase>& phases;
    const std::optional<Fragments>& fragments; // that the warp holds at this step
    bool elsewhere = false;                    // they lie in local memory, see RegisterUse

    const recording::Access& access() const { return warp.accesses[step]; }
    // What was added up is stored.
    bool stored() const { return !phases.empty() && phase_at(phases, step).kind == PhaseKind::store; }
};

// Of the kernel's instructions, by the type of A.
MmaShape shape_of(const recording::Recording& recording);

Messages step_messages(const ShownStep& shown);
// What the picture shows, in one line.
Message headline(const ShownStep& shown);

Messages use_messages(const RegisterUse& use);

} // namespace viz
