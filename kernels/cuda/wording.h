// Numbers and names as the user reads them.
#pragma once

#include <cstdint>
#include <string>

namespace cuda {

std::string bytes_in_words(uint64_t bytes); // "3.2 GiB"
std::string demangled(const char* name);    // of a C++ function; itself where it is none; null: empty

} // namespace cuda
