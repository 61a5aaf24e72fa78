// The values that declarations of indices have for one thread: "const int row = blockIdx.y * P.BM;" gives 128. Pure
// functions.
#pragma once

#include "recording/recording.h"

#include <cstdint>
#include <string>
#include <vector>

namespace viz {

struct IndexValue {
    uint32_t line = 0; // 1-based, in Recording::source()
    std::string name;  // of the variable
    int64_t value = 0;
    friend bool operator==(const IndexValue&, const IndexValue&) = default;
};

// Returns the variables whose declarations follow from the thread's ids, the launch, the parameters and other such
// variables, ascending by line. Other lines are absent: those that depend on a loop's variable or on an argument, those
// that subtract, those behind more code than is read, those whose arithmetic is not that of whole numbers, and those of
// which it is not known that the thread ran them. A thread ran a declaration if it took part in a later access of the
// same braces, or if nothing in the kernel before the declaration could end or skip it.
std::vector<IndexValue> index_values(const recording::Recording& recording, const recording::BlockTrace& block,
                                     uint32_t thread);

} // namespace viz
