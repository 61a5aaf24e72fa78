// The roofline view: how near a stage comes to each limit, what random shapes show, and plots of both.
#pragma once

#include "viz/analysis/shapes.h"
#include "viz/figure/figure.h"
#include "viz/ladder_facts.h"
#include "viz/text/message.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace viz {

// Describes the arithmetic intensity: by formula, recorded, counted, and if every value moves once.
Rich intensity_words(const StageFacts& rung, const recording::Problem& problem);
Floor floor_of_rung(const StageFacts& rung, const recording::Problem& problem, const Ceilings& ceilings);
// Describes the minimum time and the actual time.
Rich floor_words(const StageFacts& rung, const recording::Problem& problem, const Ceilings& ceilings);
// Describes the stage's distance from each limit. `shared` is FLOP per byte of shared memory, if known.
Rich place_words(const StageFacts& rung, const Ceilings& ceilings, std::optional<double> shared = {});
// The limit that a stage comes nearest to, and how much of it the stage reaches, 0 to 1. near_roof() returns nothing if
// the stage is not in the plot, or if no limit is known.
struct NearRoof {
    std::string name;
    double share = 0;
    bool memory = false; // it is a limit of bytes
};
std::optional<NearRoof> near_roof(const StageFacts& rung, const Ceilings& ceilings, std::optional<double> shared);
// Returns near_roof() as one line.
Rich nearest_roof(const StageFacts& rung, const Ceilings& ceilings, std::optional<double> shared);
// Describes the origin of speeds and ceilings.
Rich origin_words(const StageFacts& rung, const GpuState& gpu);

inline constexpr double far_behind = 0.9; // smaller shares of cuBLAS are highlighted

bool has_random_shapes(const LadderFacts& ladder_facts);

// Returns the series of a stage, or that of a substitute if the stage was not timed at random shapes. Null if there is
// none.
const RandomSeries* random_series_of(const LadderFacts& ladder_facts, const std::string& slug);

// Returns one line with the geometric mean and the minimum. Omits the shape of the minimum if another stage is `beside`
// it.
Rich random_headline(const LadderFacts& ladder_facts, const std::string& slug, bool beside);
// random_words() describes a series and its marks. random_missing() says what to run if there is none.
Rich random_words(const LadderFacts& ladder_facts, const RandomSeries& series);
Rich random_missing(const LadderFacts& ladder_facts);
// Describes one mark.
Rich random_words(const RandomSeries& series, const RandomShape& shape);

// Input of all plots.
struct ChartFacts {
    const LadderFacts& ladder_facts;
    const Ceilings& ceilings;
    const Theme& theme;
    std::vector<std::string> shown; // slugs of the compared stages
    // FLOP per byte of shared memory for these stages, if known.
    std::vector<std::optional<double>> shared;
    // The GPU of the ceilings if it is not the measured one. Only two published numbers of it are known, so speeds and
    // counters are not shown.
    std::string other = {};

    Colour accent(const std::string& slug) const; // of a compared stage; 0 for others
    // Returns whether the first stage is compared with tensor cores instead of FP32.
    bool on_tensor_cores() const;
};

// Returns whether kernels with elements of this type are compared with tensor cores instead of FP32.
bool uses_tensor_cores(const std::string& type);

// Return the tip of a stage, and the action of a click on it.
Rich stage_words(const StageFacts& rung);
Action choose_stage(const std::string& slug, bool library); // a click on a library does nothing

// Shows GFLOPS by FLOP per byte, under the ceilings of the GPU.
Panel roofline_chart(const ChartFacts& facts, const Box& box);
// Shows the minimum time of the first stage's work, and the time of each stage. Empty if no minimum is known.
std::optional<BarLayer> floor_bars(const ChartFacts& facts);
// How busy a stage keeps memory, and the share of the peak that its arithmetic reaches. A kernel that loads the same
// bytes repeatedly keeps memory busy and is still slow. The numbers are from its largest counted launch; `counted` is
// null if there is none.
struct Busy {
    const StageFacts* rung = nullptr;
    const HardwareFigures* counted = nullptr;
    std::optional<double> of_peak; // GFLOPS at the counted size over the measured peak
};
Busy busy_of(const ChartFacts& facts, const std::string& slug);
Rich busy_headline(const Busy& busy);
Rich busy_words(const Busy& busy); // explains the pictures
// Adds how busy memory and arithmetic are. Below, it adds the bytes that each level moved, beside the fewest possible.
// Adds nothing if no stage was counted.
void add_traffic(Figure& figure, const ChartFacts& facts, const Box& box);

// Shows GFLOPS by the size of the matrices.
Panel speeds_chart(const ChartFacts& facts, const Box& box);
// Shows shapes with equal work, from tall to flat. Requires has_shapes().
Panel shapes_chart(const ChartFacts& facts, const Box& box);
bool has_shapes(const LadderFacts& ladder_facts);
// Explains when more blocks are faster than less work per block, with this GPU's numbers. Without these, says what to
// run.
Rich shapes_words(const LadderFacts& ladder_facts);
// Shows a mark for each random shape, by the size of C and by K, coloured by its share of cuBLAS.
Panel random_shapes_chart(const ChartFacts& facts, const Box& box);
// Returns grey for the speed of cuBLAS, amber for lower and green for higher speeds. The colour is full at two thirds
// and at 1.5.
Colour share_colour(const Theme& theme, double share);
// Lists all stages with their speeds, fastest first.
Panel stage_list(const ChartFacts& facts, const Box& box);

} // namespace viz
