// Moving through time: one position, counted in steps (accesses of one warp), and a clock that plays. Pure functions and values.
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

// Playing: a time on the clock of cost, in its units, that runs evenly. What the stages do at that time is their clocks' to say.
class Playback {
public:
    bool playing() const { return playing_; }
    double speed() const { return speed_; } // units per second
    double time() const { return time_; }
    void play() { playing_ = true; }
    void stop() { playing_ = false; }
    void set_time(double time) { time_ = time; }
    void set_speed(double speed);
    void faster() { set_speed(speed_ * 2); }
    void slower() { set_speed(speed_ / 2); }

    static constexpr double least_speed = 1, most_speed = 4096;

    // Moves the time on by `seconds`; stops at the end, where the slowest has finished.
    void advance(double seconds, double end);

private:
    bool playing_ = false;
    double speed_ = 8, time_ = 0;
};

// The part of the whole clock that the timeline's bars show, in its units.
struct Zoom {
    double first = 0, count = 0; // count 0: everything

    // Zooms by `factor` (> 1: closer) and keeps what is under the mouse (at `share` of the bar) where it is.
    void around(double share, double factor, double all);
    // Moves as little as needed to show that part.
    void show(double begin, double end, double all);
    double shown(double all) const { return count > 0 ? count : all; }
};

} // namespace app
