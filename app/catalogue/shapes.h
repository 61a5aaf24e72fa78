// Speeds of one amount of work in tall to flat shapes, measured on a GPU: shapes.json, whose rows are those of speeds.h.
#pragma once

#include "app/catalogue/shipped_file.h"

#include "viz/analysis/shapes.h"

namespace app {

// Never throws; stages, parameters and results as read_speeds takes them.
viz::Shapes read_shapes(const std::filesystem::path& folder, const Ladder& ladder);

} // namespace app
