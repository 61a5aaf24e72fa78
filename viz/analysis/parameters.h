// Looks up a launch parameter by name.
#pragma once

#include "recording/recording.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace viz {

// Returns nothing if the launch has no such parameter.
inline std::optional<int> parameter_of(const std::vector<recording::Parameter>& parameters, std::string_view name)
{
    const auto found = std::ranges::find(parameters, name, &recording::Parameter::name);
    return found == parameters.end() ? std::nullopt : std::optional(found->value);
}

} // namespace viz
