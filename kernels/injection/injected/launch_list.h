// Lists every launch of the program that it is injected into, with CUPTI's activity records: one line per launch, while
// the program runs.
#pragma once

#include "injection/request.h"

#include <filesystem>

namespace injection {

class LaunchList {
public:
    // Throws std::runtime_error if CUPTI is missing or the library was built without it.
    LaunchList(const Request& request, const std::filesystem::path& folder);
};

} // namespace injection
