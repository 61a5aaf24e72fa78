// The computer's memory.
#pragma once

#include <cstdint>
#include <string_view>

namespace kernels {

// Throws Error where the computer has not so much memory free; `what` begins the sentence. Better a sentence now than the
// kernel's out-of-memory killer later.
void require_memory(std::string_view what, uint64_t bytes);

} // namespace kernels
