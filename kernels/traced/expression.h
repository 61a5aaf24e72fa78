// Sums and products of whole numbers and names, as a grid, a block or the size of a buffer is typed: "N/128", "4*M*N",
// "ceil(N/32)".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace traced {

using Names = std::map<std::string, int64_t, std::less<>>;

// `what` names it in sentences: "--grid". Numbers and divisions are those of C: "0x400", "true", and "(N+255)/256" rounds down.
// Only where a number or a name by itself is divided and leaves a rest, as in "N/256", the rounding would lose blocks that are
// needed: that is refused unless ceil() is around it. Throws kernels::Error with what is wrong and what to write instead.
int64_t evaluate(std::string_view text, const Names& names, std::string_view what);

// At the commas outside of brackets; blanks at the ends are left out.
std::vector<std::string> split_at_commas(std::string_view text);

} // namespace traced
