// The sum of an element of C, written out: a term for each k with the values where they are known, in as many columns as have
// room, the last term in any case.
#pragma once

#include "viz/analysis/access.h"
#include "viz/figure/figure.h"

#include "recording/recording.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace viz::draw {

struct SumTerms {
    const recording::Recording& recording;
    Cell element;
    Colour ink = 0;
    std::optional<uint32_t> pointed = {}; // this k stands out, and is among those shown
    Colour lit = 0;                       // in this colour
};

// The width of a term without its values, of the longest there is.
float longest_term(const Theme& theme, const recording::Recording& recording);

// The result, where it is known and has room, is named "sum" for tests and files.
std::vector<Label> sum_terms(const Theme& theme, const Box& box, const SumTerms& what);

} // namespace viz::draw
