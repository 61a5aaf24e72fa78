// The occupancy view: the residency of a stage and what limits it, the bytes that its resident warps have in flight,
// and the pictures of both.
#pragma once

#include "viz/analysis/counted.h"
#include "viz/analysis/occupancy.h"
#include "viz/analysis/waits.h"
#include "viz/analysis/warp_times.h"
#include "viz/draw/camera.h"
#include "viz/figure/figure.h"
#include "viz/view.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace viz {

// The residency of one stage.
struct OccupancyCase {
    const StageColumn* stage = nullptr;
    // Recorded or typed. The register count is 0 if it is not known and none was typed. `now` is then what the other
    // limits allow.
    KernelNeeds needs;
    bool typed = false;
    uint32_t beyond = 0; // typed registers beyond the maximum per thread, which `needs` then has
    // The register count is that of a GPU which ran the same kernel, because the recording has none.
    bool registers_of_gpu = false;
    Residency now;

    bool unknown() const { return needs.registers == 0 && !typed; }
};

// Returns the needs of a stage. Its register count is the recorded one, or else that of the same kernel in
// `ladder_facts`, or else 0.
OccupancyCase case_of_stage(const StageColumn& stage, const LadderFacts& ladder_facts);

// Updates `now` for these limits. Must be called if needs or limits change.
void fill_sm(const SmLimits& limits, OccupancyCase& one);

Rich headline(const SmLimits& limits, const OccupancyCase& one);
// Describes what would allow one more block, or why no block can run.
Rich next_block_words(const SmLimits& limits, const OccupancyCase& one);
Rich registers_unknown_words();
// Describes how many blocks fit, what limits them, and the effect of other register counts.
Rich residency_words(const SmLimits& limits, const OccupancyCase& one);

// Returns the counters of the stage's largest counted launch. Returns null if they lack the issued instructions per
// cycle.
const HardwareFigures* issue_figures(const LadderFacts& ladder_facts, const StageColumn& stage);

// Returns the needs of the GPU in `ladder_facts`. Returns nothing if its latency or bandwidth was not measured.
std::optional<DramNeeds> dram_needs(const LadderFacts& ladder_facts);

// A stage's residency, and the loads that its warps have in flight together.
struct WaitingCase {
    const OccupancyCase& of;
    const std::optional<LoadsTogether>& together;
    const LadderFacts& ladder_facts;
    bool named = true; // bars have names for tests and files; true for the first stage
    // The selected compute capability if another one was measured, otherwise 0.
    uint32_t elsewhere = 0;
};

// Bytes in flight on one SM. `has` is empty if the recording does not determine it.
struct UnderWay {
    std::optional<double> has;
    double needed = 0; // 0 if DRAM of the selected GPU was not measured
};
UnderWay bytes_under_way(const WaitingCase& waiting);

// Explains why bytes must be in flight, with this GPU's measured latency and bandwidth, and with its counters.
Rich waiting_words(const WaitingCase& waiting);

// The input of add_sm().
struct SmFacts {
    const SmLimits& limits;
    const OccupancyCase& one;
    const Theme& theme;
    bool named = true;                   // parts have names for tests and files; true for the first stage
    std::optional<uint32_t> lit;         // the highlighted resident block
    std::function<void(uint32_t)> point; // runs with the resident block under the mouse
};

// Adds the four schedulers with their warp slots, which the resident blocks fill. Below, each limit has a bar with the
// resident blocks and the next one: green if that fits, otherwise amber. Last are the bytes in flight beside those that
// DRAM needs. `most_bytes` is the length of a full bar, the same for all stages; 0 shows no bytes.
void add_sm(Figure& figure, const SmFacts& facts, const WaitingCase& waiting, double most_bytes, const Box& box);

// Returns whether bytes in flight were measured for this GPU, here or as shipped.
bool has_streaming(const LadderFacts& ladder_facts);
// Shows what more resident warps give: DRAM bandwidth by the bytes in flight on an SM, for loads of 4, 8 and 16 bytes
// per thread. A vertical line marks each stage whose bytes in flight are known.
Panel streaming_chart(const LadderFacts& ladder_facts, std::span<const WaitingCase> cases, const Theme& theme,
                      const Box& box);

// The position of one rung in the speed chart.
struct WarpsAndSpeed {
    const StageFacts* rung = nullptr;
    uint32_t warps = 0; // that an SM holds
    double gflops = 0;
};
// Returns all stages with known registers and speeds, on the GPU in `ladder_facts`. Returns nothing if that GPU is not
// known.
std::vector<WarpsAndSpeed> warps_and_speeds(const LadderFacts& ladder_facts);
// Shows speed by resident warps, with a point for each stage: more warps alone do not mean more speed.
Panel speed_chart(const ViewScene& scene, const std::vector<WarpsAndSpeed>& points, const Theme& theme, const Box& box);

// Returns the run of the stage with these parameters if its warps were sampled, otherwise null.
const CountedRun* sampled_run(const LadderFacts& ladder_facts, const StageColumn& stage);
bool has_waits(const LadderFacts& ladder_facts, std::span<const OccupancyCase> cases);
// Shows what warps wait for by the GPU's samples, all stages on one scale. A click goes to the next source line at
// which warps wait for that reason.
Panel waits_panel(const LadderFacts& ladder_facts, std::span<const OccupancyCase> cases, const Theme& theme,
                  const Box& box);
// Describes the most frequent waits of a stage, and where the samples come from. Empty without samples.
Rich stage_wait_words(const LadderFacts& ladder_facts, const StageColumn& stage);

// Explains why the stage has no picture of warps over time; empty if it has one.
Rich why_not_over_time(const LadderFacts& ladder_facts, const std::string& slug);
Colour doing_colour(const Theme& theme, WarpDoing doing);

// The warps of one SM over time, with few resident warps above many, on one time axis. Has the visible range of that
// axis.
class OverTime {
public:
    // Fills the box, with headings and legend. Requires data for the first stage.
    void add_to(Figure& figure, const ViewFrame& frame, const Box& box);
    ViewCommands commands(const std::function<bool()>& shown); // to zoom and move in time, while it is shown

private:
    TimeWindow::Limits limits() const;

    double whole = 1; // cycles of the longest launch
    TimeWindow time;
};

} // namespace viz
