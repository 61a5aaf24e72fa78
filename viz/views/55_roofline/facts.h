// What the roofline view computes and says of a stage, and of shapes drawn at random.
#pragma once

#include "viz/analysis/random_shapes.h"
#include "viz/board.h"
#include "viz/text/message.h"

#include <optional>
#include <string>

namespace viz {

// By formula, by recording, by counter, and when every value moves once.
Rich intensity_words(const RungFigures& rung, const recording::Problem& problem);
Floor floor_of_rung(const RungFigures& rung, const recording::Problem& problem, const Ceilings& ceilings);
// How long it must take at least, and how long it takes.
Rich floor_words(const RungFigures& rung, const recording::Problem& problem, const Ceilings& ceilings);
// Its distance from each limit. `shared`: FLOP per byte of shared memory, where that is known.
Rich place_words(const RungFigures& rung, const Ceilings& ceilings, std::optional<double> shared = {});
// The limit that it comes nearest to, and how near: 0..1. Nothing where it has no place, or no limit is known.
struct NearRoof {
    std::string name;
    double share = 0;
};
std::optional<NearRoof> near_roof(const RungFigures& rung, const Ceilings& ceilings, std::optional<double> shared);
// The same in one line.
Rich nearest_roof(const RungFigures& rung, const Ceilings& ceilings, std::optional<double> shared);
// Where speeds and ceilings come from.
Rich origin_words(const RungFigures& rung, const GpuState& gpu);

inline constexpr double far_behind = 0.9; // of cuBLAS: a share below it stands out

bool has_random_shapes(const Board& board);

// Of a stage of the board, or where it was not timed so of the one that is shown instead. Null: nothing is shown.
const RandomSeries* random_series_of(const Board& board, const std::string& slug);

// In one line: the geometric mean and the least, and where that is unless another stage stands `beside`.
Rich random_headline(const Board& board, const std::string& slug, bool beside);
// At length, with what the marks mean; or what to run where there is nothing.
Rich random_words(const Board& board, const RandomSeries& series);
Rich random_missing(const Board& board);
// Of one mark.
Rich random_words(const RandomSeries& series, const RandomShape& shape);

} // namespace viz
