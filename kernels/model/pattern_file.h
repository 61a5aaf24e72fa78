// Files of access patterns, one warp instruction per row, as tests/data/h200_access_patterns.csv:
//   op,width,mask,a,b,lane0,...,lane31     op: ld.shared, st.shared, ld.global, st.global; mask in hexadecimal
// shared: a = wavefronts, b = bank conflicts; global: a = sectors, b = requests. Lines that start with # are comments.
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

struct PatternRow {
    std::size_t line = 0; // in the file, from 1
    std::string op;
    Pattern pattern;
    std::optional<TwoFigures> measured; // absent where the columns a and b are empty
};

// Throws kernels::Error naming the file, the line and what is wrong with it.
std::vector<PatternRow> read_patterns(const std::filesystem::path& csv);

TwoFigures evaluate(const PatternRow& row);

} // namespace model
