// Movement through time: a position in steps (accesses of one warp), a playback clock, and the track of each warp
// through a recording.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/clock.h"
#include "viz/analysis/timeline.h"
#include "viz/background.h"
#include "viz/draw/camera.h"
#include "viz/view.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace viz {
struct LaneRaster; // defined in viz/figure/raster.h
}

namespace app {

// Returns `step` moved by `by`, kept within 0 ... count - 1. Returns 0 if there are no steps.
std::size_t moved(std::size_t step, long by, std::size_t count);

// Returns the first step of the next phase, or the last step of all if there is none.
std::size_t next_phase(const std::vector<viz::Phase>& phases, std::size_t step);

// Returns the first step of this phase, or of the previous phase if `step` is already the first one.
std::size_t previous_phase(const std::vector<viz::Phase>& phases, std::size_t step);

// Playback of a time that advances evenly in the units of the cost clock. Each stage's clock determines what the stage
// does at that time.
class Playback {
public:
    bool playing() const { return playing_; }
    double speed() const { return speed_; } // units per second
    double time() const { return time_; }
    void play() { playing_ = true; }
    void stop() { playing_ = false; }
    void set_time(double time) { time_ = time; }
    void set_speed(double speed) { speed_ = std::clamp(speed, least_speed, most_speed); }
    void faster() { set_speed(speed_ * 2); }
    void slower() { set_speed(speed_ / 2); }

    static constexpr double least_speed = 1, most_speed = 4096;

    // Advances the time by `seconds`. Stops at `end`, where the slowest stage has finished.
    void advance(double seconds, double end);

private:
    bool playing_ = false;
    double speed_ = 8, time_ = 0;
};

// Scrolls the shown part of a timeline of length `all` as little as needed to show [begin, end].
void reveal(viz::TimeWindow& shown, double begin, double end, double all);

// The track of one warp through a recording, with values that the panels derive from it: phases, k-tiles, and the steps
// of a source line. Kept until another recording, block or warp is followed.
class WarpTrack {
public:
    // Follows the selection's block and warp, or the nearest ones that the recording has.
    void follow(const std::shared_ptr<const recording::Recording>& recording, const viz::Selection& selection);

    const recording::Recording* recording() const { return recording_.get(); }
    const recording::BlockTrace* block() const { return block_; }
    const recording::WarpTrace* warp() const { return warp_; }
    std::size_t steps() const { return warp_ == nullptr ? 0 : warp_->accesses.size(); }
    const std::vector<viz::Phase>& phases() const { return phases_; }
    const viz::Phase* last_phase(viz::PhaseKind kind) const; // null if there is none
    int k_tiles() const { return k_tiles_; }
    // Returns whether the warp computes. Without arithmetic, the phases of computation are only reads of shared memory.
    bool computes() const { return computes_; }
    // Returns whether the warp starts copies that go on beside its next steps: cp.async, or bulk copies.
    bool starts_copies() const { return starts_copies_; }
    const std::vector<viz::CopiesUnderWay>& copies() const { return copies_; } // empty if it starts none
    bool uses_shared() const { return uses_shared_; }                          // true without a warp
    const viz::Clock& clock() const { return clock_; }
    // Returns the raster of the phases on the clock. It is another object after a phase has changed.
    const std::shared_ptr<viz::LaneRaster>& lanes() const { return lanes_; }
    // Selects the clock's unit. The clock of a long warp is computed in the background; until then each step takes one
    // unit. Returns true if the clock in use changed.
    bool keep_time(viz::ClockUnit unit);
    bool busy() const { return making_.busy(); }                             // a clock is being computed
    const std::vector<viz::Elements>& elements() const { return elements_; } // of the recording's arrays

    // Returns the name of the array that the warp's last store writes. It is C unless the kernel is no product or other
    // warps write the result.
    const std::string& stored_array() const;

    // Returns the access of a step, or the last access if the step is beyond the end. Returns null if the warp has
    // none.
    const recording::Access* access(std::size_t step) const;
    // Returns the next access of a source line after `step`, wrapping around at the end. Returns nothing if the line
    // has no access.
    std::optional<std::size_t> next_on_line(uint32_t line, std::size_t step) const;

private:
    std::shared_ptr<const recording::Recording> recording_;
    std::size_t block_index_ = 0, warp_index_ = 0;
    const recording::BlockTrace* block_ = nullptr;
    const recording::WarpTrace* warp_ = nullptr;
    std::vector<viz::Phase> phases_;
    std::map<viz::PhaseKind, std::size_t> last_phases_;
    std::vector<viz::CopiesUnderWay> copies_;
    int k_tiles_ = 0;
    bool computes_ = true, starts_copies_ = false, uses_shared_ = true;
    std::optional<viz::ClockUnit> unit_; // unit of the current clock
    viz::Clock clock_;
    viz::Background<viz::Clock> making_;
    std::shared_ptr<viz::LaneRaster> lanes_;
    std::vector<viz::Elements> elements_;
};

} // namespace app
