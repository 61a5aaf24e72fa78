// What elements hold: values of A and B, and sums of C as far as they have been added up. Nothing of it is recorded, it
// follows from the inputs' generator (recording/inputs.h). Pure functions.
#pragma once

#include "viz/analysis/access.h"

#include "recording/recording.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace viz {

// Of a global matrix, before the kernel ran. Nothing where the recording does not say what it was made with, or to which
// type the kernel's random numbers are rounded, and of arrays that are no operand (a workspace).
std::optional<float> value_of(const recording::Recording& recording, std::size_t array, const Cell& cell);

// The same of random numbers in a recording that does not name their type: `type` is "fp16" or "bf16".
std::optional<float> rounded_value_of(const recording::Recording& recording, std::size_t array, const Cell& cell,
                                      std::string_view type);

// The products A(row, k) * B(k, col) for first <= k < end, added up in float64; nothing likewise.
std::optional<double> partial_sum(const recording::Recording& recording, const Cell& c, uint32_t first, uint32_t end);

// Whether the block loads all columns of A, so that its sums are those of partial_sum() from k = 0 on.
bool adds_whole_k(const recording::Recording& recording, const recording::BlockTrace& block);

// Sums as partial_sum() adds them up from the first product on, kept on the way: the next one of an element takes few products,
// however long K is.
class RunningSums {
public:
    explicit RunningSums(const recording::Recording& recording) : recording_(recording) {}

    std::optional<double> up_to(const Cell& c, uint32_t end); // of all k below

private:
    static constexpr uint32_t apart = 64; // of k

    const recording::Recording& recording_;
    std::map<Cell, std::vector<double>> before_; // every so many k; as far as was asked for
};

} // namespace viz
