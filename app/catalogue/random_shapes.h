// Speeds at shapes drawn at random, measured on a GPU beside cuBLAS: random_shapes.json. Its rows are those of speeds.h, as
// `gemmscope bench --shapes` prints them; "seed" draws the same shapes again.
#pragma once

#include "app/catalogue/speeds.h"

#include "viz/analysis/random_shapes.h"

#include <nlohmann/json_fwd.hpp>

#include <span>

namespace app {

// "summary" of that file: what the shapes come to, an object for each stage that has a share of cuBLAS.
nlohmann::ordered_json shape_summaries(std::span<const TimedRow> rows);

// Never throws; what was wrong, or has no share of cuBLAS, is left out.
viz::RandomShapes read_random_shapes(const std::filesystem::path& folder, const Ladder& ladder);

} // namespace app
