// A stage as it is shown: its recording and its speed. Plain values, made by the session.
#pragma once

#include "viz/speed.h"
#include "viz/text/message.h"
#include "viz/theme.h"

#include "recording/recording.h"

#include <memory>
#include <string>
#include <utility>

namespace viz {

// A stage as shown: its recording (once there is one) and what is known of it. Owned by the session, which replaces the
// recording as a whole, never in place: a view may keep what it derived until `recording` points elsewhere.
struct ShownStage {
    std::string slug;
    std::string variant;                                   // "BK 16": where both stages are one with other parameters
    std::string idea;                                      // the ladder's one line
    std::shared_ptr<const recording::Recording> recording; // null while being made
    Messages status;                                       // why it is null: it is being made, or an error
    Speed speed;                                           // measured here
    Speed shipped;                                         // on another GPU, with these parameters
    Accent accent = Accent::first;                         // blue for the first, orange for the second
};

// Measured here where that is so for both; else as shipped, if both are; else what there is.
std::pair<Speed, Speed> comparable_speeds(const ShownStage& first, const ShownStage& second);

} // namespace viz
