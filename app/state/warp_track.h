// One warp's way through a recording, with what the panels derive from it: phases, k-tiles, the steps of a source line.
// Kept until another recording, block or warp is followed.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/clock.h"
#include "viz/analysis/timeline.h"
#include "viz/background.h"
#include "viz/view.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace app {

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
    std::vector<viz::Elements> elements_;
};

} // namespace app
