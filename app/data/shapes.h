// Speeds of one amount of work in shapes from tall to flat, measured on a GPU: shapes.json. Its rows are those of
// speeds.h.
#pragma once

#include "app/data/shipped_file.h"
#include "app/data/speeds.h"

#include "viz/analysis/shapes.h"

#include <nlohmann/json_fwd.hpp>

#include <span>

namespace app {

// Reads the shapes. Never throws. Treats stages, parameters and results like read_speeds.
viz::Shapes read_shapes(const std::filesystem::path& folder, const Ladder& ladder);

// Speeds at randomly drawn shapes, measured on a GPU in the same run as cuBLAS: random_shapes.json. Its rows are those
// of speeds.h, as `gemmscope bench --shapes` prints them. "seed" draws the same shapes again.

// Returns the "summary" of that file: an object for each stage that has a share of cuBLAS.
nlohmann::ordered_json shape_summaries(std::span<const TimedRow> rows);

// Reads the shapes. Never throws. Skips rows with a wrong result or without a share of cuBLAS.
viz::RandomShapes read_random_shapes(const std::filesystem::path& folder, const Ladder& ladder);

} // namespace app
