// What it costs to read a small table again and again while a large array streams through L2, for each way to say which
// of the two should stay there: figures that a GPU measured.
#pragma once

#include "recording/measured.h"

#include <cstdint>
#include <string>
#include <vector>

namespace viz {

// One launch of assets/recordings/programs/l2_persistence.cu.
struct CacheHintRow {
    uint32_t kib = 0;                // of the table
    std::string way;                 // "plain", "persisting" ...
    double us = 0;                   // time of the launch, median
    double l2_hits = 0, l1_hits = 0; // 0 to 1, of the sectors looked up there
    uint64_t dram_bytes = 0;         // read
    friend bool operator==(const CacheHintRow&, const CacheHintRow&) = default;
};

struct CacheHints {
    std::vector<CacheHintRow> rows;
    recording::Provenance from;
    recording::Reasons missing; // what is missing or damaged
};

} // namespace viz
