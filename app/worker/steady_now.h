// The clock of time limits as a function. Tests pass a clock that they advance themselves.
#pragma once

#include <chrono>
#include <functional>

namespace app {

using SteadyNow = std::function<std::chrono::steady_clock::time_point()>;

} // namespace app
