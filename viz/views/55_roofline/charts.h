// The plots of the roofline view, each a panel: facts about the stages and the GPU.
#pragma once

#include "viz/figure/figure.h"
#include "viz/ladder_facts.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace viz {

// Input of all plots.
struct ChartFacts {
    const LadderFacts& ladder_facts;
    const Ceilings& ceilings;
    const Theme& theme;
    std::vector<std::string> shown; // slugs of the compared stages
    // FLOP per byte of shared memory of those stages, if known.
    std::vector<std::optional<double>> shared;

    Colour accent(const std::string& slug) const; // of a compared stage; 0 for others
    // Returns whether the first stage is compared on the tensor cores' scale instead of the FP32 scale.
    bool on_tensor_cores() const;
};

// Returns whether kernels with elements of this type are compared on the tensor cores' scale instead of the FP32 scale.
bool uses_tensor_cores(const std::string& type);

// The tip of a stage, and the action of a click on it.
Rich stage_words(const StageFacts& rung);
Action choose_stage(const StageFacts& rung);

// Shows GFLOPS by FLOP per byte, under the ceilings of the GPU.
Panel roofline_chart(const ChartFacts& facts, const Box& box);
// Shows the minimum time of the first stage's work, and the time of each stage. Empty if no minimum is known.
std::optional<BarLayer> floor_bars(const ChartFacts& facts);
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
