// Describes accesses in plain words, with the numbers of the access. Pure functions.
#pragma once

#include "viz/analysis/access.h"
#include "viz/text/rich.h"

#include <string>
#include <vector>

namespace viz {

// Describes what one lane does: "lane 13 reads Bs(3, 104..107) → words 488–491, banks 8–11". `elements` is
// elements_of(recording).
std::string lane_words(const recording::Recording& recording, const std::vector<Elements>& elements,
                       const recording::Access& access, uint32_t lane);

// Explains an access in three paragraphs: what the source line does, its purpose, and what the access costs and why.
// `next` is the following step, which may be the write of the same copy.
std::vector<Rich> explain(const recording::Recording& recording, const recording::Access& access,
                          const recording::Access* next = nullptr);

} // namespace viz
