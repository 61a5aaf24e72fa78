// Speeds of one amount of work in tall to flat shapes, measured on a GPU: shapes.json, made by scripts/make-assets.
#pragma once

#include "stage.h"

#include "viz/analysis/shapes.h"

#include <filesystem>
#include <vector>

namespace app {

// Never throws; stages, parameters and results as read_shipped_speeds takes them.
viz::Shapes read_shipped_shapes(const std::filesystem::path& folder, const std::vector<kernels::Stage>& ladder);

} // namespace app
