// The roofline view: how near a stage comes to each limit, what random shapes show, and the plots of both.
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

// Describes the arithmetic intensity: by formula, from the recording, from counters, and if every value moves once.
Rich intensity_words(const StageFacts& rung, const recording::Problem& problem);
Floor floor_of_rung(const StageFacts& rung, const recording::Problem& problem, const Ceilings& ceilings);
// Describes the minimum time and the actual time.
Rich floor_words(const StageFacts& rung, const recording::Problem& problem, const Ceilings& ceilings);
// Describes the stage's distance from each limit. `shared` is FLOP per byte of shared memory, if known.
Rich place_words(const StageFacts& rung, const Ceilings& ceilings, std::optional<double> shared = {});
// The limit that a stage comes nearest to, and the fraction of it that the stage reaches, 0 to 1. near_roof() returns
// nothing if the stage has no position or no limit is known.
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

inline constexpr double far_behind = 0.9; // shares of cuBLAS below this are highlighted

bool has_random_shapes(const LadderFacts& ladder_facts);

// Returns the series of a stage of the board, or that of a substitute if the stage was not timed at random shapes. Null
// if nothing is shown.
const RandomSeries* random_series_of(const LadderFacts& ladder_facts, const std::string& slug);

// Returns one line with the geometric mean and the minimum. The shape of the minimum is omitted if another stage is
// shown `beside`.
Rich random_headline(const LadderFacts& ladder_facts, const std::string& slug, bool beside);
// random_words() describes a series and its marks; random_missing() tells what to run if there is none.
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
    // FLOP per byte of shared memory of those stages, if known.
    std::vector<std::optional<double>> shared;
    // The GPU of the ceilings if it is another one than that of all measurements. Only its two published numbers are
    // known, so neither speeds nor counters are shown with them.
    std::string other = {};

    Colour accent(const std::string& slug) const; // of a compared stage; 0 for others
    // Returns whether the first stage is compared on the tensor cores' scale instead of the FP32 scale.
    bool on_tensor_cores() const;
};

// Returns whether kernels with elements of this type are compared on the tensor cores' scale instead of the FP32 scale.
bool uses_tensor_cores(const std::string& type);

// The tip of a stage, and the action of a click on it.
Rich stage_words(const StageFacts& rung);
Action choose_stage(const std::string& slug, bool library); // a library's does nothing

// Shows GFLOPS by FLOP per byte, under the ceilings of the GPU.
Panel roofline_chart(const ChartFacts& facts, const Box& box);
// Shows the minimum time of the first stage's work, and the time of each stage. Empty if no minimum is known.
std::optional<BarLayer> floor_bars(const ChartFacts& facts);
// How busy a stage keeps memory, and which share of the peak its arithmetic reaches. A kernel that loads the same bytes
// repeatedly keeps memory busy and is slow nevertheless. The numbers are those of its largest counted launch; `counted`
// is null if there is none.
struct Busy {
    const StageFacts* rung = nullptr;
    const HardwareFigures* counted = nullptr;
    std::optional<double> of_peak; // GFLOPS at the counted size over the measured peak
};
Busy busy_of(const ChartFacts& facts, const std::string& slug);
Rich busy_headline(const Busy& busy);
Rich busy_words(const Busy& busy); // explains the pictures
// Adds how busy memory and arithmetic are, and below it the bytes that each level moved beside the fewest possible.
// Adds nothing if no shown stage was counted.
void add_traffic(Figure& figure, const ChartFacts& facts, const Box& box);

// Shows GFLOPS by the size of the matrices.
Panel speeds_chart(const ChartFacts& facts, const Box& box);
// Shows one amount of work in shapes from tall to flat. Requires a board with shapes.
Panel shapes_chart(const ChartFacts& facts, const Box& box);
bool has_shapes(const LadderFacts& ladder_facts);
// Explains when more blocks beat less work per block, with this GPU's numbers, or what to run to get them.
Rich shapes_words(const LadderFacts& ladder_facts);
// Shows random shapes: a mark for each product, by the size of C and K, coloured by its share of cuBLAS.
Panel random_shapes_chart(const ChartFacts& facts, const Box& box);
// Returns grey for the speed of cuBLAS, towards amber below and towards green above. The full colour is reached at two
// thirds and at 1.5.
Colour share_colour(const Theme& theme, double share);
// Lists all stages with their speeds, fastest first.
Panel stage_list(const ChartFacts& facts, const Box& box);

} // namespace viz
