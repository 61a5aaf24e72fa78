// The computer's main memory.
#pragma once

#include <cstdint>
#include <string_view>

namespace kernels {

// Throws Error if less than this much memory is free; `what` begins the sentence. An error now is better than a later
// kill by Linux's out-of-memory killer.
void require_memory(std::string_view what, uint64_t bytes);

} // namespace kernels
