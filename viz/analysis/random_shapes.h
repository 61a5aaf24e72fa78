// Products of shapes drawn at random, timed beside cuBLAS: how fast is a stage at sizes that nobody tuned for? Pure functions.
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

struct RandomShape {
    recording::Problem problem;
    double of_cublas = 1;          // above zero; 1 is as fast
    std::optional<double> of_best; // likewise, of the fastest of cuBLAS's algorithms
    double gflops = 0;
    std::vector<recording::Parameter> parameters; // that the stage took at this shape
};

struct RandomSeries {
    std::string slug;
    std::string type = "fp32";       // of A and B
    std::vector<RandomShape> shapes; // ascending by their shares of cuBLAS; one at least
};

struct RandomShapes {
    std::vector<RandomSeries> series; // in the ladder's order
    uint32_t seed = 0;
    recording::Provenance from;
    recording::Reasons missing; // why there are none, or not all
};

// Whether rows of A, B and C begin at multiples of 16 bytes, as copies of whole tiles need them. C is in FP32 or as A and B.
bool in_whole_rows(const recording::Problem& problem, std::string_view type);

// Of shares above zero; 0: there are none.
double geometric_mean(std::span<const double> shares);

// Over the shapes of a series that have such rows, or over all.
enum class Rows : uint8_t { all, whole, others };
struct MeanShare {
    std::size_t shapes = 0;
    double of_cublas = 0;
    double of_best = 0; // of those that have it; 0: none has
};
MeanShare mean_share(const RandomSeries& series, Rows rows = Rows::all);

// Of the stage itself, with that type if it was timed so. Where it was not timed at all: of the top stage of its type, else of the top
// one that also runs on FP32, or on the tensor cores, else of the top one of all. Null: there is none.
const RandomSeries* series_for(const RandomShapes& shapes, std::string_view slug, std::string_view type);

} // namespace viz
