// Facts and texts of the global memory view for one stage: the request of a step, and the traffic of each source line.
#pragma once

#include "viz/analysis/sectors.h"
#include "viz/draw/focus.h"
#include "viz/figure/figure.h"
#include "viz/view.h"

#include <optional>
#include <span>
#include <vector>

namespace viz {

struct L1Lines; // viz/analysis/l1_lines.h

// The request shown for one stage.
struct GlobalPart {
    const StageColumn* stage = nullptr;
    Focus focus;
    const std::vector<Elements>* elements = nullptr; // of the recording
    const std::vector<GlobalUse>* use = nullptr;     // of the block; null while it is computed
    std::optional<std::size_t> step = {};            // of the global access shown
    SectorPicture picture = {};

    const recording::Access& shown() const { return focus.warp->accesses[*step]; }
    const recording::Array& array() const { return focus.recording->arrays[shown().array]; }
    bool ready() const { return focus.warp && step; }
    bool knows_use() const { return ready() && use != nullptr; }
};

// Returns whether the access is one of those that `use` counts.
bool is_of(const recording::Access& access, const GlobalUse& use);

// Returns "32 sectors, 4 would do", with the step if it is not the selected one.
Rich global_headline(const GlobalPart& part);

// Returns paragraphs about the request, what it moves and why, the launch's traffic, and the meaning of colours.
std::vector<Rich> request_paragraphs(const Theme& theme, const GlobalPart& part);

Rich lane_words(const GlobalPart& part, uint32_t lane);

// Shows the sectors of one request of each source line that accesses global memory, and the part that lanes use. A
// click runs `go_to`. `most` is the number of sectors of a full bar. Marks "global line:LINE".
using GoTo = std::function<void(const ViewScene&, const GlobalUse&)>;
BarLayer use_bars(const Theme& theme, const GlobalPart& part, double most, const GoTo& go_to);
// Shows the bytes that each line of the launch moves, as bars beside use_bars(). Marks "bytes of line LINE".
BarLayer byte_bars(const Theme& theme, const GlobalPart& part, double most, const GoTo& go_to);
// Returns the most sectors per request, at least 32: one per lane.
double most_sectors(const std::vector<GlobalUse>& uses);
double most_bytes(const std::vector<GlobalUse>& uses); // of any source line

// Shows requests, sectors and lines of two launches, and their speeds. Marks "launch:FIGURE COLUMN".
BarLayer launch_bars(const Theme& theme, const GlobalPart& first, const GlobalPart& second);

// The effect of caches on a launch: hit rates and bytes from the GPU's counters, beside recorded bytes.
struct CacheFacts {
    const recording::Recording& recording;
    const StageFacts* rung = nullptr;         // null if unknown
    const HardwareFigures* figures = nullptr; // at the recording's size
    bool gpu = false;                         // this machine has a GPU that can count
    bool counting = false;

    static CacheFacts of(const recording::Recording& recording, const LadderFacts& ladder_facts);

    // Returns the counters at the recording's size, otherwise at another size, or null if nothing was counted.
    const HardwareFigures* any() const
    {
        return figures != nullptr || rung == nullptr || rung->counted.empty() ? figures : &rung->counted.front();
    }
    bool can_be_counted() const { return gpu && figures == nullptr && !counting; }
};

// Returns "Loads move 8 times the least possible, 1.1 times came from DRAM ...", or why that is not known and which key
// to press. Other counted sizes follow.
std::vector<Rich> cache_paragraphs(const CacheFacts& facts);

// The lines that a model of L1 holds while the block reads (viz/analysis/l1_lines.h). They are shown only if the model
// of the whole L1 has nearly the hit rate that the GPU counted.
struct L1Page {
    const GlobalPart& part;
    uint64_t whole_l1 = 0, bytes = 0;                       // whole_l1: of the GPU; bytes: as wanted, 0 for the GPU's
    const HardwareFigures* counted = nullptr;               // null: not counted
    const L1Lines *of_whole_l1 = nullptr, *lines = nullptr; // lines: what is shown; null if not
};
L1Page l1_page(const GlobalPart& part, const LadderFacts& ladder_facts, uint64_t bytes);
Rich l1_headline(const L1Page& page);
// Adds the lines of each array by step, or why they are not shown. Marks "l1:ARRAY ROW COLUMN".
void add_l1_lines(Figure& figure, const ViewFrame& frame, const L1Page& page, const Box& box);

// Shows the measured ways to read a small table again and again while an array streams through L2: the time, and what
// DRAM sent, by the size of the table. Marks "hints:time WAY KIB", "hints:DRAM WAY KIB".
void add_cache_hints(Figure& figure, const ViewFrame& frame, Box box);

// At most seven bars; none without counter values. Marks "cache:l1" ...
// `most`: the bytes of a full bar, one number for all stages.
BarLayer cache_bars(const CacheFacts& facts, Colour accent, std::string name, double most);
double most_bytes(const CacheFacts& facts); // of a full bar, for this stage

} // namespace viz
