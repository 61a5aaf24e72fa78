// One amount of work in other shapes: when do more blocks beat less work per block? Pure functions.
#pragma once

#include "recording/measured.h"
#include "recording/recording.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace viz {

struct ShapeSpeed {
    recording::Problem problem;
    double gflops = 0;
    uint64_t blocks = 0; // that the launch has; 0: not known
};

// Of C, were it a square.
double side_of_result(const recording::Problem& problem);

// A rung with one set of parameters, or a library.
struct ShapeSeries {
    std::string slug;
    std::string type = "fp32"; // of A and B
    bool library = false;
    std::vector<recording::Parameter> parameters;
    std::vector<ShapeSpeed> speeds;                                // from tall to flat: ascending by the results
    const ShapeSpeed* at(const recording::Problem& problem) const; // null: none
};

struct Shapes {
    std::vector<ShapeSeries> series;
    recording::Provenance from;
    recording::Reasons missing; // why there are none, or not all
};

uint32_t slices(const ShapeSeries& series); // of K: SPLIT; 1 where it has no such parameter

// A rung that splits K beside the one that is the same but for that.
struct SplitPair {
    const ShapeSeries* whole = nullptr;
    std::vector<const ShapeSeries*> split; // ascending by slices
};
// Nothing where no series splits, or where its relative is missing.
std::optional<SplitPair> split_pair(const Shapes& shapes);

// At one shape: the rung that does not split, and the fastest that does.
struct SplitAt {
    const ShapeSpeed* whole = nullptr;
    const ShapeSpeed* split = nullptr;
    uint32_t slices = 1;
    double gain() const { return split->gflops / whole->gflops; }
};
std::vector<SplitAt> split_gains(const SplitPair& pair); // from tall to flat; shapes that both were timed at

} // namespace viz
