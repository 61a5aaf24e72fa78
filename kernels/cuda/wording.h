// Formats numbers for the user.
#pragma once

#include <cstdint>
#include <string>

namespace cuda {

std::string bytes_in_words(uint64_t bytes); // "3.2 GiB"

} // namespace cuda
