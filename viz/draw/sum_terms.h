// Writes out the sum of an element of C: a term for each k, with values if they are known, in as many columns as fit.
// The last term is always shown.
#pragma once

#include "viz/analysis/access.h"
#include "viz/figure/figure.h"

#include "recording/recording.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace viz::draw {

// The element whose sum is written out, and how.
struct SumTerms {
    const recording::Recording& recording;
    Cell element;
    Colour ink = 0;
    std::optional<uint32_t> pointed = {}; // this k is highlighted and always shown
    Colour lit = 0;                       // colour of the highlighted term
};

// Returns the width of the longest term without its values.
float longest_term(const Theme& theme, const recording::Recording& recording);

// Returns the labels of the terms. The result, if it is known and fits, is named "sum" for tests and files.
std::vector<Label> sum_terms(const Theme& theme, const Box& box, const SumTerms& what);

} // namespace viz::draw
