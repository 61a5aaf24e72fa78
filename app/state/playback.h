// Moving through time: one position, counted in steps (accesses of one warp), a clock that plays, and each warp's way through a
// recording.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/clock.h"
#include "viz/analysis/timeline.h"
#include "viz/background.h"
#include "viz/draw/time_window.h"
#include "viz/view.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace viz {
struct LaneRaster; // viz/figure/raster.h
}

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

// Moves what is shown as little as needed to show that part of a time of `all`.
void reveal(viz::TimeWindow& shown, double begin, double end, double all);

// One warp's way through a recording, with what the panels derive from it: phases, k-tiles, the steps of a source line.
// Kept until another recording, block or warp is followed.
class WarpTrack {
public:
    // Follows the selection's block and warp, each as near as the recording has them.
    void follow(const std::shared_ptr<const recording::Recording>& recording, const viz::Selection& selection);

    const recording::Recording* recording() const { return recording_.get(); }
    const recording::BlockTrace* block() const { return block_; }
    const recording::WarpTrace* warp() const { return warp_; }
    std::size_t steps() const { return warp_ == nullptr ? 0 : warp_->accesses.size(); }
    const std::vector<viz::Phase>& phases() const { return phases_; }
    const viz::Phase* last_phase(viz::PhaseKind kind) const; // null where there is none
    int k_tiles() const { return k_tiles_; }
    // Whether the warp multiplies. Else what its phases of computation stand for are reads of shared memory: nothing shows why.
    bool computes() const { return computes_; }
    bool uses_shared() const { return uses_shared_; } // true without a warp: nothing stands against it
    const viz::Clock& clock() const { return clock_; }
    // The phases on the clock as they were painted; another one where one of them has changed.
    const std::shared_ptr<viz::LaneRaster>& lanes() const { return lanes_; }
    // By what the clock goes. That of a long warp is made beside the frames: till then a step takes one. True where another
    // clock is in force than before.
    bool keep_time(viz::ClockUnit unit);
    bool busy() const { return making_.busy(); }                             // a clock is being made
    const std::vector<viz::Elements>& elements() const { return elements_; } // of the recording's arrays

    // The array that the warp's last store goes to: C, unless the kernel is no product or the warp leaves the rest to others.
    const std::string& stored_array() const;

    // The access of a step, or the last one beyond the end; null when the warp has none.
    const recording::Access* access(std::size_t step) const;
    // The next access of a source line after `step`, from the start again after the last; none when it has none.
    std::optional<std::size_t> next_on_line(uint32_t line, std::size_t step) const;

private:
    std::shared_ptr<const recording::Recording> recording_;
    std::size_t block_index_ = 0, warp_index_ = 0;
    const recording::BlockTrace* block_ = nullptr;
    const recording::WarpTrace* warp_ = nullptr;
    std::vector<viz::Phase> phases_;
    std::map<viz::PhaseKind, std::size_t> last_phases_;
    int k_tiles_ = 0;
    bool computes_ = true, uses_shared_ = true;
    std::optional<viz::ClockUnit> unit_; // that the clock was made for
    viz::Clock clock_;
    viz::Background<viz::Clock> making_;
    std::shared_ptr<viz::LaneRaster> lanes_;
    std::vector<viz::Elements> elements_;
};

} // namespace app
