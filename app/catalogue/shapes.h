// Speeds of one amount of work in shapes from tall to flat, measured on a GPU: shapes.json. Its rows are those of
// speeds.h.
#pragma once

#include "app/catalogue/shipped_file.h"

#include "viz/analysis/shapes.h"

namespace app {

// Reads the shapes. Never throws. Treats stages, parameters and results like read_speeds.
viz::Shapes read_shapes(const std::filesystem::path& folder, const Ladder& ladder);

} // namespace app
