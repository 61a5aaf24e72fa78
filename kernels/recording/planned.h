// What can be recorded at all, known before any work begins.
#pragma once

#include "recording/recording.h"

#include <cstdint>

namespace recording {

inline constexpr uint64_t most_accesses = 7'600'000; // in all traces: what a file's 1 GiB of content has room for

// Throws kernels::Error with the reason as half a sentence when a recording of this launch, as described before it runs,
// could be neither valid nor written.
void check_planned(const Recording& planned);

} // namespace recording
