// Layers of the matrices above and the memory below, with what is written in their elements and words, and said of these. They refer
// to the part.
#pragma once

#include "viz/figure/figure.h"
#include "viz/views/01_flow/flow_part.h"

#include <vector>

namespace viz {

void add_matrices(std::vector<Layer>& layers, const FlowPart& part);
void add_memory(std::vector<Layer>& layers, const FlowPart& part);
void add_names_of_memory(std::vector<Layer>& layers, const FlowPart& part); // of its rows and columns, over the ways
void add_values(std::vector<Layer>& layers, const FlowPart& part);          // in elements and words

// The lanes that want a word of memory: a mask.
uint32_t lanes_that_want(const FlowFacts& facts, const WordPlace& word);

} // namespace viz
