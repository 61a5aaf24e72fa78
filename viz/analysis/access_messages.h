// Accesses in plain words, with this access's own numbers. Pure functions.
#pragma once

#include "viz/analysis/access.h"
#include "viz/text/rich.h"

#include <string>
#include <vector>

namespace viz {

// What one lane does: "lane 13 reads Bs(3, 104..107) → words 488–491, banks 8–11".
// `elements`: of the recording, elements_of.
std::string lane_words(const recording::Recording& recording, const std::vector<Elements>& elements,
                       const recording::Access& access, uint32_t lane);

// A paragraph each: what the line does, what that is for, and what this access costs and why. `next`: the step after it,
// which may be the write of the same copy.
std::vector<Rich> explain(const recording::Recording& recording, const recording::Access& access,
                          const recording::Access* next = nullptr);

} // namespace viz
