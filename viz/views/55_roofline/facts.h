// Computations and texts of the roofline view about a stage, and about random shapes.
#pragma once

#include "viz/analysis/shapes.h"
#include "viz/ladder_facts.h"
#include "viz/text/message.h"

#include <optional>
#include <string>

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

} // namespace viz
