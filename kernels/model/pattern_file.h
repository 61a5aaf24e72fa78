// Files of access patterns, one warp instruction per row, such as tests/data/h200_access_patterns.csv:
//   op,width,mask,a,b,lane0,...,lane31[,idle,other0,...,other31]     masks in hexadecimal; lanes in bytes
// ld.shared, st.shared, stmatrix.*, atom.*, red.*: a = wavefronts, b = bank conflicts. ld.global, st.global: a =
// sectors, b = requests. An asynchronous copy, cp.ca or cp.cg, has two rows. cp.ca.global is its read (sectors,
// requests); `other` has the addresses in shared memory. cp.ca.shared is its write (wavefronts, conflicts); `other` has
// the addresses in global memory. idle: mask of the lanes that participate but copy nothing. Lines that start with #
// are comments.
#pragma once

#include "model/access_cost.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace model {

struct TwoFigures {
    int a = 0, b = 0;
    friend bool operator==(const TwoFigures&, const TwoFigures&) = default;
};

// In cycles of an SM. On an H200 (2026-11-27) a load of 4 bytes with n wavefronts (n = 1 to 32) had a latency of 21 +
// 2n, and one such load was served every n cycles. For accesses of 16 bytes by all lanes to one address, a load was
// served every 2 cycles and a store every 4, as access_cost.h says.
struct PatternTimes {
    // Of one load of one warp that waits for the previous one; 0 for a store, because nothing waits for it.
    double latency = 0;
    double between = 0; // cycles between two instructions of this kind when many warps always have one ready
    friend bool operator==(const PatternTimes&, const PatternTimes&) = default;
};

struct PatternRow {
    std::size_t line = 0; // line number in the file, from 1
    std::string op;
    Pattern pattern;
    uint32_t idle = 0;                   // mask of the idle lanes of a copy
    std::array<uint64_t, lanes> other{}; // if absent in the file, lane i has i times the width
    std::optional<TwoFigures> measured;  // absent where the columns a and b are empty
    std::optional<PatternTimes> times;   // not in files; set by kernels::time_patterns()
    friend bool operator==(const PatternRow&, const PatternRow&) = default;
};

// Reads a file of patterns. Throws kernels::Error naming the file, the line and the problem.
std::vector<PatternRow> read_patterns(const std::filesystem::path& csv);

// Return the file's header line, and a row as read_patterns() reads it. Only rows of copies have `other` and `idle`.
std::string pattern_header();
std::string to_text(const PatternRow& row);

bool is_copy(const PatternRow& row);

// Returns whether the row accesses global memory, whose cost is counted in sectors and not in bank conflicts.
bool is_global(const PatternRow& row);

TwoFigures evaluate(const PatternRow& row);

} // namespace model
