// Moving through time: one position, counted in steps (accesses of one warp). Pure functions and values.
#pragma once

#include "viz/analysis/timeline.h"

#include <cstddef>
#include <vector>

namespace app {

// `step` moved by `by`, kept within 0 ... count - 1 (0 when there are no steps).
std::size_t moved(std::size_t step, long by, std::size_t count);

// First step of the next phase; the last step of all when there is none.
std::size_t next_phase(const std::vector<viz::Phase>& phases, std::size_t step);

// First step of this phase, or of the one before when the step is already the first of its own.
std::size_t previous_phase(const std::vector<viz::Phase>& phases, std::size_t step);

// Playing: steps per second, with what is left of a step carried from frame to frame.
class Playback {
public:
    bool playing() const { return playing_; }
    double speed() const { return speed_; } // steps per second
    void play() { playing_ = true, carry_ = 0; }
    void stop() { playing_ = false; }
    void faster() { speed_ = speed_ < 256 ? speed_ * 2 : speed_; }
    void slower() { speed_ = speed_ > 1 ? speed_ / 2 : speed_; }

    // The step after `seconds` more; stops playing at the last one.
    std::size_t advance(double seconds, std::size_t step, std::size_t count);

private:
    bool playing_ = false;
    double speed_ = 4;
    double carry_ = 0;
};

// The part of all steps that the timeline's bar shows.
struct Zoom {
    double first = 0, count = 0; // steps; count 0: everything

    // Zooms by `factor` (> 1: closer) and keeps the step under the mouse (at `share` of the bar) where it is.
    void around(double share, double factor, std::size_t steps);
    // Moves as little as needed to show the step.
    void show(std::size_t step, std::size_t steps);
    double shown(std::size_t steps) const { return count > 0 ? count : static_cast<double>(steps); }
};

} // namespace app
