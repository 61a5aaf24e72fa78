// The time of day, for what is dated.
#pragma once

#include <string>

namespace recording {

std::string utc_now(); // ISO 8601: "2026-11-21T09:00:00Z"

} // namespace recording
