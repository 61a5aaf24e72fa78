// The four plots of the roofline view, each a panel: what is known of the stages and of the GPU.
#pragma once

#include "viz/board.h"
#include "viz/figure/figure.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace viz {

// What all plots are of.
struct ChartFacts {
    const Board& board;
    const Ceilings& ceilings;
    const Theme& theme;
    std::vector<std::string> shown; // slugs of the stages that are compared
    // FLOP per byte of shared memory, of those stages, where that is known.
    std::vector<std::optional<double>> shared;

    Colour accent(const std::string& slug) const; // of a stage that is shown; 0: it is not
    // Whether the first stage is compared on the tensor cores' scale instead of FP32's.
    bool on_tensor_cores() const;
};

// Whether what multiplies elements of a type is compared on FP32's scale or on the tensor cores'.
bool uses_tensor_cores(const std::string& type);

// What is said of a stage where it is pointed at, and what a click there does.
Rich stage_words(const RungFigures& rung);
Action choose_stage(const RungFigures& rung);

// GFLOPS over FLOP per byte, under the ceilings of the GPU.
Panel roofline_chart(const ChartFacts& facts, const Box& box);
// What the first stage's work needs at least, and what each stage takes; empty where no least time is known.
std::optional<BarLayer> floor_bars(const ChartFacts& facts);
// GFLOPS over the size of the matrices.
Panel speeds_chart(const ChartFacts& facts, const Box& box);
// One amount of work in shapes from tall to flat. Of a board that has shapes.
Panel shapes_chart(const ChartFacts& facts, const Box& box);
bool has_shapes(const Board& board);
// When more blocks beat less work per block, in this GPU's numbers; or what to run.
Rich shapes_words(const Board& board);
// Shapes drawn at random: a mark for each product, over the size of C and over K, in the colour of its share of cuBLAS.
Panel random_shapes_chart(const ChartFacts& facts, const Box& box);
// Grey where as fast as cuBLAS, towards amber below and green above; whole at two thirds and at one and a half.
Colour share_colour(const Theme& theme, double share);
// All stages, the fastest first, with what they reach.
Panel stage_list(const ChartFacts& facts, const Box& box);

} // namespace viz
