// What narrow types cost in accuracy: the error of C with each, as the library's results were compared with float64.
#pragma once

#include "viz/board.h"
#include "viz/draw/draw.h"
#include "viz/marks.h"

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

// A bar for each on a logarithmic scale, that of `own` in the accent. Fills the box; draws nothing where it is too small.
struct TypeErrorPicture {
    std::vector<TypeError> errors;
    const std::string& own;
    const Theme& theme;
    Colour accent = 0;
    Marks* marks = nullptr; // "error of TYPE"
};
void draw_type_errors(const TypeErrorPicture& picture, const draw::Box& box);

} // namespace viz
