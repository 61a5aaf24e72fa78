// The clock of limits, as a function: tests have one that they move themselves.
#pragma once

#include <chrono>
#include <functional>

namespace app {

using SteadyNow = std::function<std::chrono::steady_clock::time_point()>;

} // namespace app
