// A stage as it is shown: its recording and its speed. Plain values, made by the session.
#pragma once

#include "viz/theme.h"

#include "recording/recording.h"

#include <memory>
#include <optional>
#include <string>

namespace viz {

// Speed as measured on a GPU, where it was; a missing figure is shown with `why_missing`, never as zero.
struct Speed {
    std::optional<double> gflops, of_cublas, of_peak; // shares: 0..1
    std::string origin;                               // "measured on NVIDIA H200 at 4096^3, median of 12"
    std::string why_missing;                          // "no NVIDIA GPU here"
};

// The same as it comes with gemmscope, measured on another GPU.
struct ShippedFigures {
    std::optional<double> gflops, of_cublas;
    std::string origin; // "shipped: NVIDIA H200, 2026-11-21, size 4096"
};

// A stage as shown: its recording (once there is one) and what is known of it. Owned by the session, which replaces the
// recording as a whole, never in place: a view may keep what it derived until `recording` points elsewhere.
struct ShownStage {
    std::string slug;
    std::string idea;                                      // the ladder's one line
    std::shared_ptr<const recording::Recording> recording; // null while being made
    std::string status;                                    // why it is null: "recording on the CPU ...", an error
    Speed speed;
    ShippedFigures shipped;        // of the stage with these parameters
    Accent accent = Accent::first; // blue for the first, orange for the second
};

} // namespace viz
