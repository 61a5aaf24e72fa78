// What the view of global memory shows of one stage: the request of the step, and what each source line moves.
#pragma once

#include "viz/analysis/sectors.h"
#include "viz/draw/focus.h"
#include "viz/figure/figure.h"
#include "viz/view.h"

#include <optional>
#include <span>
#include <vector>

namespace viz {

struct GlobalPart {
    const StageColumn* stage = nullptr;
    Focus focus;
    const std::vector<Elements>* elements = nullptr; // of the recording
    const std::vector<GlobalUse>* use = nullptr;     // of the block; null while it is being computed
    std::optional<std::size_t> step = {};            // of the global access that is shown
    SectorPicture picture = {};

    const recording::Access& shown() const { return focus.warp->accesses[*step]; }
    const recording::Array& array() const { return focus.recording->arrays[shown().array]; }
    bool ready() const { return focus.warp && step; }
    bool knows_use() const { return ready() && use != nullptr; }
};

// Whether the access is one of these.
bool is_of(const recording::Access& access, const GlobalUse& use);

// "32 sectors, 4 would do", with the step where it is not the selected one.
Rich global_headline(const GlobalPart& part);

// At length: which request is shown, what it moves and why, what the launch moves, what colours mean.
std::vector<Rich> request_paragraphs(const Theme& theme, const GlobalPart& part);

Rich lane_words(const GlobalPart& part, uint32_t lane);

// Every source line that goes to global memory: the sectors that one request moves, and of them what its lanes use. A click is
// `go_to`. Marks "global line:LINE"; `most`: sectors that the whole length stands for.
using GoTo = std::function<void(const ViewScene&, const GlobalUse&)>;
BarLayer use_bars(const Theme& theme, const GlobalPart& part, double most, const GoTo& go_to);
// Beside them, without names, the bytes that the launch moves on that line. Marks "bytes of line LINE".
BarLayer byte_bars(const Theme& theme, const GlobalPart& part, double most, const GoTo& go_to);
double most_sectors(
    const std::vector<GlobalUse>& uses); // of a request, but no less than one of 4 bytes for each lane moves
double most_bytes(const std::vector<GlobalUse>& uses); // of a line

// What two launches ask of global memory, and how fast they are. Marks "launch:FIGURE COLUMN".
BarLayer launch_bars(const Theme& theme, const GlobalPart& first, const GlobalPart& second);

// What caught the requests of a launch before they reached memory: hit rates and bytes from the GPU's counters, beside the
// recorded bytes.
struct CacheFacts {
    const recording::Recording& recording;
    const RungFigures* rung = nullptr;        // null: nothing is known of it
    const HardwareFigures* figures = nullptr; // at the recording's size
    bool gpu = false;                         // here: it can be counted
    bool counting = false;

    static CacheFacts of(const recording::Recording& recording, const Board& board);

    // At the recording's size, else at another; null: nothing was counted.
    const HardwareFigures* any() const
    {
        return figures != nullptr || rung == nullptr || rung->counted.empty() ? figures : &rung->counted.front();
    }
    bool can_be_counted() const { return gpu && figures == nullptr && !counting; }
};

// "Loads move 8 times the least possible, 1.1 times came from DRAM ...", or why that is not known and what to press; then the
// other sizes that were counted.
std::vector<Rich> cache_paragraphs(const CacheFacts& facts);

// Seven bars at most, none where there are no figures. Marks "cache:l1" ...
BarLayer cache_bars(const CacheFacts& facts, Colour accent, std::string name);

} // namespace viz
