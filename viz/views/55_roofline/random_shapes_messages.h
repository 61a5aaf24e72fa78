// What the roofline view says of shapes drawn at random.
#pragma once

#include "viz/analysis/random_shapes.h"
#include "viz/board.h"
#include "viz/text/rich.h"

#include <string>

namespace viz {

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
Rich random_shape_words(const RandomSeries& series, const RandomShape& shape);

} // namespace viz
