// Evaluates declarations of index variables for one thread: "const int row = blockIdx.y * P.BM;" gives 128. Pure
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

// Returns the variables whose values follow from the thread's ids, the launch, the parameters and other such variables,
// ascending by line. Omits declarations that depend on a loop's variable or on an argument, that subtract, that do not
// use integers, or that follow more code than is read. Omits declarations that the thread may not have run. It ran a
// declaration if it took part in a later access within the same braces, or if no code before the declaration could end
// the kernel or skip the declaration.
std::vector<IndexValue> index_values(const recording::Recording& recording, const recording::BlockTrace& block,
                                     uint32_t thread);

} // namespace viz
