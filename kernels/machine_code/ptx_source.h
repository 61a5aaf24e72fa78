// Where PTX came from: its .loc directives.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cuda {

std::vector<std::string> lines_of(std::string_view text);

// Of each line of PTX, the line in `file` that it came from: in it, or in a function that was inlined there; 0: neither.
std::vector<uint32_t> source_lines(const std::vector<std::string>& ptx, std::string_view file);

} // namespace cuda
