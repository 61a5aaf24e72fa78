// What narrow types cost in accuracy: the error of C with each, as the library's results were compared with float64.
#pragma once

#include "viz/board.h"
#include "viz/draw/stage_part.h"

#include <string>
#include <vector>

namespace viz {

struct TypeError {
    std::string type; // "bf16"
    double error = 0; // of C against float64 of the FP32 operands, relative
    recording::Problem problem;
    recording::Provenance from;
};

// Of each type that a library multiplied, at the size that is timed, from the most exact on. FP64 is left out.
std::vector<TypeError> type_errors(const Board& board);

// A bar for each on a logarithmic scale, that of the stage's type in its colour. Fills the box; draws nothing where it is too
// small. Marks "error of TYPE".
void draw_type_errors(const StagePart& part, const std::vector<TypeError>& errors, const std::string& own,
                      const draw::Box& box);

} // namespace viz
