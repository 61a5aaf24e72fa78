// Lists every launch of the program that it is injected into, by CUPTI's activity records: a line for each, while it runs.
#pragma once

#include "injection/request.h"

#include <filesystem>

namespace injection {

class LaunchList {
public:
    // Throws std::runtime_error: no CUPTI, or built without it.
    LaunchList(const Request& request, const std::filesystem::path& folder);
};

} // namespace injection
