// The current date and time.
#pragma once

#include <string>

namespace recording {

std::string utc_now(); // ISO 8601: "2026-11-21T09:00:00Z"

} // namespace recording
