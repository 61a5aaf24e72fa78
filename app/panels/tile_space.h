// The space of parameters that a search covers: which sets are possible, why others are not, and how fast the tried
// ones were.
#pragma once

#include "measure/tuning.h"

#include "viz/figure/figure.h"
#include "viz/theme.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace app {

// The sets in cells. A cell fixes the parameters of its row and of its column, and has all values of the other
// parameters.
struct TileSpace {
    struct Axis {
        std::vector<std::size_t> parameters;          // indices into Stage::parameters
        std::vector<kernels::ParameterValues> places; // the values of these parameters, in order
    };
    struct Cell {
        std::size_t sets = 0, possible = 0;
        std::optional<std::size_t> reason; // why most of the others are impossible: index into `reasons`
        double best = 0;                   // GFLOPS of the fastest right candidate; 0: none ran
    };
    struct Reason {
        std::string words;
        std::size_t sets = 0;
    };
    Axis rows, cols;
    std::vector<std::size_t> rest; // parameters that differ within a cell
    std::vector<Cell> cells;       // row-major
    std::vector<Reason> reasons;   // the reason that excludes most sets comes first
    std::size_t sets = 0, possible = 0;

    const Cell& at(std::size_t row, std::size_t col) const { return cells[row * cols.places.size() + col]; }
};

// Returns nothing for a stage with too many sets, or with fewer than two parameters that vary. `ranked` must not be
// empty. All cells have the other parameters of its first candidate. `problem` is the size of the search.
std::optional<TileSpace> tile_space(const kernels::Stage& stage, const recording::Problem& problem,
                                    std::span<const kernels::Candidate> ranked);

// Draws the cells with the names of their rows and columns. A cell with faster candidates is brighter. A cell without
// possible sets has the colour of its reason.
viz::Panel space_panel(const viz::Theme& theme, const kernels::Stage& stage, const TileSpace& space,
                       const viz::Box& box);
float space_height(const viz::Theme& theme, const TileSpace& space);
viz::Colour reason_colour(const viz::Theme& theme, std::size_t reason); // an index into `reasons`

} // namespace app
