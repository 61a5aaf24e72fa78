// What the GPU's counters of a launch say, on the command line.
#pragma once

#include "measure/counters.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace app {

template <class T>
nlohmann::json given(const std::optional<T>& value)
{
    return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

nlohmann::json to_json(const kernels::CounterFigures& figures);

// A line for each; "-" where the GPU did not give it.
void print(const kernels::CounterFigures& figures);

} // namespace app
