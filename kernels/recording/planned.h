// Decides before any work begins whether a launch can be recorded.
#pragma once

#include "recording/recording.h"

#include <cstdint>

namespace recording {

inline constexpr uint64_t most_accesses = 7'600'000; // in all traces: the most that fit in a file's 1 GiB of content

// Throws kernels::Error, with the reason as half a sentence, if a recording of this launch could not be valid or could
// not be written. `planned` describes the launch before it runs.
void check_planned(const Recording& planned);

} // namespace recording
