// Integer expressions with names, as typed for a grid, a block or the size of a buffer: "N/128", "4*M*N", "ceil(N/32)".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace traced {

using Names = std::map<std::string, int64_t, std::less<>>;

// Evaluates an expression. `what` is its name in error sentences: "--grid". Numbers and divisions follow C: "0x400",
// "true", and "(N+255)/256" rounds down. Refuses to divide a single number or name with a remainder, as in "N/256",
// because rounding down would lose blocks. It is allowed inside ceil(). Throws kernels::Error that says what is wrong
// and what to write instead.
int64_t evaluate(std::string_view text, const Names& names, std::string_view what);

// Splits at the commas outside brackets, and removes blanks at the ends of each part.
std::vector<std::string> split_at_commas(std::string_view text);

// Returns the types between the last parentheses of "void ns::f<int>(float const*, int)".
std::vector<std::string> types_in(std::string_view signature);

} // namespace traced
