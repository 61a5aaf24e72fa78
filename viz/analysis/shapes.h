// Speeds over shapes: of one amount of work, and drawn at random. Pure functions.
#pragma once

#include "recording/measured.h"
#include "recording/recording.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

// Different shapes with equal work. When are more blocks faster than less work per block?

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
    std::vector<ShapeSpeed> speeds; // from tall to flat, ascending by the number of results
    const ShapeSpeed* at(const recording::Problem& problem) const; // null if not timed
};

// The speeds of rungs and libraries at shapes with equal work.
struct Shapes {
    std::vector<ShapeSeries> series;
    recording::Provenance from;
    recording::Reasons missing; // why there are no series, or why some are missing
};

uint32_t slices(const ShapeSeries& series); // of K: the parameter SPLIT, or 1 without it

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
std::vector<SplitAt> split_gains(const SplitPair& pair); // from tall to flat; of shapes timed with and without a split

// Random shapes, timed against cuBLAS: the speed of a stage at sizes for which it was not tuned.

// The speed of a stage at one random shape.
struct RandomShape {
    recording::Problem problem;
    double of_cublas = 1;          // fraction of the cuBLAS speed, above zero
    std::optional<double> of_best; // fraction of the speed of cuBLAS's fastest algorithm
    double gflops = 0;
    std::vector<recording::Parameter> parameters; // the stage's parameters for this shape
};

// The speeds of one stage with one element type.
struct RandomSeries {
    std::string slug;
    std::string type = "fp32";       // element type of A and B
    std::vector<RandomShape> shapes; // ascending by of_cublas; never empty
};

// All speeds at random shapes, from one measurement.
struct RandomShapes {
    std::vector<RandomSeries> series; // in ladder order
    uint32_t seed = 0;
    recording::Provenance from;
    recording::Reasons missing; // why there are no series, or why some are missing
};

// Returns whether the rows of A, B and C begin at multiples of 16 bytes, as copies of whole tiles require. The elements
// of C are FP32 or have the type of A and B.
bool in_whole_rows(const recording::Problem& problem, std::string_view type);

// Returns the geometric mean of shares above zero, or 0 if there are none.
double geometric_mean(std::span<const double> shares);

// Selects shapes whose rows begin at multiples of 16 bytes, other shapes, or all: see in_whole_rows().
enum class ShapeRows : uint8_t { all, whole, others };
struct MeanShare {
    std::size_t shapes = 0;
    double of_cublas = 0;
    double of_best = 0; // of those shapes that have it; 0 if there are none
};
MeanShare mean_share(const RandomSeries& series, ShapeRows rows = ShapeRows::all);

// Returns the series to show for a stage: its own, preferably with that type. Otherwise returns that of the highest
// stage of the same type, or else of the same units (FP32, or tensor cores for other types), or else of all. Returns
// null if there are no series.
const RandomSeries* series_for(const RandomShapes& shapes, std::string_view slug, std::string_view type);

} // namespace viz
