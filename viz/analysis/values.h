// Values of A and B, and partial sums of C. They are computed by the generator of the inputs (recording/inputs.h).
// Recordings of other kernels may contain values. Pure functions.
#pragma once

#include "viz/analysis/access.h"

#include "recording/recording.h"
#include "recording/values.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

// Returns the value of an element of a global matrix before the kernel ran. Returns nothing if the recording lacks the
// inputs or their type, and for arrays that are not operands (a workspace). For other kernels, returns the recorded
// value if the launch left the array unchanged.
std::optional<float> value_of(const recording::Recording& recording, std::size_t array, const Cell& cell);

// Returns an element's recorded value at that moment, if there is one.
std::optional<double> recorded_value(const recording::Recording& recording, std::size_t array, const Cell& cell,
                                     recording::Moment moment);

// Returns "63", "-0.4312", "1.2e+05", "nan".
std::string value_text(double value);

// Returns value_of(). If the recording does not name the type of random numbers, rounds them to `type`: "fp16" or
// "bf16".
std::optional<float> rounded_value_of(const recording::Recording& recording, std::size_t array, const Cell& cell,
                                      std::string_view type);

// Returns the sum of A(row, k) * B(k, col) for first <= k < end, in float64. Returns nothing if a value is not known.
std::optional<double> partial_sum(const recording::Recording& recording, const Cell& c, uint32_t first, uint32_t end);

// Returns whether the block loads all columns of A. Its sums are then those of partial_sum() from k = 0.
bool adds_whole_k(const recording::Recording& recording, const recording::BlockTrace& block);

// Computes partial_sum() from k = 0 and caches intermediate sums. The next sum of an element then takes few products,
// however large K is.
class RunningSums {
public:
    explicit RunningSums(const recording::Recording& recording) : recording_(recording) {}

    std::optional<double> up_to(const Cell& c, uint32_t end); // sum of the products of all smaller k

private:
    static constexpr uint32_t apart = 64; // distance between cached sums, in k

    const recording::Recording& recording_;
    std::map<Cell, std::vector<double>> before_; // at multiples of `apart`, up to the largest requested one
};

} // namespace viz
