// Accesses in plain words, with this access's own numbers. Pure functions.
#pragma once

#include "viz/analysis/access.h"

#include <string>
#include <vector>

namespace app {

// What one lane does: "lane 13 reads Bs(3, 104..107) → words 488–491, banks 8–11".
// `elements`: of the recording, viz::elements_of.
std::string lane_text(const recording::Recording& recording, const std::vector<viz::Elements>& elements,
                      const recording::Access& access, uint32_t lane);

struct Explanation {
    std::string heading; // "Line 61 reads Bs"
    std::string what;    // how many lanes, how wide, from where
    std::string cost;    // wavefronts and conflicts, or sectors, of this access
    std::string why;     // what these words mean; empty where there is nothing to say
    bool conflicts = false;
};

Explanation explain(const recording::Recording& recording, const recording::Access& access,
                    const recording::Access* next = nullptr);

} // namespace app
