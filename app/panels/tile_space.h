// The space of parameters that a search goes through: which sets can run, what forbids the others, and how fast those
// are that ran.
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

// A cell has one value of each parameter of its row and of its column, and all values of the rest.
struct TileSpace {
    struct Axis {
        std::vector<std::size_t> parameters;          // indices into Stage::parameters
        std::vector<kernels::ParameterValues> places; // the values of these parameters, in order
    };
    struct Cell {
        std::size_t sets = 0, possible = 0;
        std::optional<std::size_t> reason; // why most of the others are impossible: an index into `reasons`
        double best = 0;                   // GFLOPS of the fastest right candidate; 0: none ran
    };
    struct Reason {
        std::string words;
        std::size_t sets = 0;
    };
    Axis rows, cols;
    std::vector<std::size_t> rest; // parameters that differ within a cell
    std::vector<Cell> cells;       // row-major
    std::vector<Reason> reasons;   // those that forbid most come first
    std::size_t sets = 0, possible = 0;

    const Cell& at(std::size_t row, std::size_t col) const { return cells[row * cols.places.size() + col]; }
};

// Returns nothing for a stage with too many sets to look at each, or with fewer than two parameters to choose. `ranked`
// must have a candidate, whose values the parameters without a choice have. `problem` is that of the search.
std::optional<TileSpace> tile_space(const kernels::Stage& stage, const recording::Problem& problem,
                                    std::span<const kernels::Candidate> ranked);

// Draws the space as cells under the names of their columns, beside those of their rows: brighter where candidates were
// faster, and in the colour of a reason where none is possible.
viz::Panel space_panel(const viz::Theme& theme, const kernels::Stage& stage, const TileSpace& space,
                       const viz::Box& box);
float space_height(const viz::Theme& theme, const TileSpace& space);
viz::Colour reason_colour(const viz::Theme& theme, std::size_t reason); // an index into `reasons`

} // namespace app
