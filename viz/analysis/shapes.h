// Compares different shapes with the same amount of work: when do more blocks beat less work per block? Pure functions.
#pragma once

#include "recording/measured.h"
#include "recording/recording.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace viz {

// The speed at one shape.
struct ShapeSpeed {
    recording::Problem problem;
    double gflops = 0;
    uint64_t blocks = 0; // in the launch; 0 if not known
};

// Returns the side of a square with as many elements as C.
double side_of_result(const recording::Problem& problem);

// A rung with one set of parameters, or a library.
struct ShapeSeries {
    std::string slug;
    std::string type = "fp32"; // element type of A and B
    bool library = false;
    std::vector<recording::Parameter> parameters;
    std::vector<ShapeSpeed> speeds; // from tall to flat: ascending by the number of results
    const ShapeSpeed* at(const recording::Problem& problem) const; // null if not timed
};

// The speeds of rungs and libraries at shapes with equal work.
struct Shapes {
    std::vector<ShapeSeries> series;
    recording::Provenance from;
    recording::Reasons missing; // why there are no series, or not all
};

uint32_t slices(const ShapeSeries& series); // slices of K: the parameter SPLIT, or 1 without it

// A rung that splits K and the same rung without the split.
struct SplitPair {
    const ShapeSeries* whole = nullptr;
    std::vector<const ShapeSeries*> split; // ascending by slices
};
// Returns nothing if no series splits K, or if its counterpart is missing.
std::optional<SplitPair> split_pair(const Shapes& shapes);

// The speeds at one shape: without a split, and the fastest with one.
struct SplitAt {
    const ShapeSpeed* whole = nullptr;
    const ShapeSpeed* split = nullptr;
    uint32_t slices = 1;
    double gain() const { return split->gflops / whole->gflops; }
};
std::vector<SplitAt> split_gains(const SplitPair& pair); // from tall to flat; only shapes timed in both variants

} // namespace viz
