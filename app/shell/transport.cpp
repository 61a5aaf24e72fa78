#include "app/shell/transport.h"

#include <algorithm>
#include <cmath>

namespace app {

std::size_t moved(std::size_t step, long by, std::size_t count)
{
    if (count == 0)
        return 0;
    const long last = static_cast<long>(count) - 1;
    return static_cast<std::size_t>(std::clamp(static_cast<long>(step) + by, 0L, last));
}

std::size_t next_phase(const std::vector<viz::Phase>& phases, std::size_t step)
{
    if (phases.empty())
        return 0;
    for (const viz::Phase& phase : phases)
        if (phase.first > step)
            return phase.first;
    return phases.back().first + phases.back().count - 1;
}

std::size_t previous_phase(const std::vector<viz::Phase>& phases, std::size_t step)
{
    std::size_t result = 0;
    for (const viz::Phase& phase : phases)
        if (phase.first < step)
            result = phase.first;
    return result;
}

std::size_t Playback::advance(double seconds, std::size_t step, std::size_t count)
{
    if (!playing_)
        return step;
    carry_ += seconds * speed_;
    const double whole = std::floor(carry_);
    carry_ -= whole;
    const std::size_t next = moved(step, static_cast<long>(whole), count);
    if (next + 1 >= count)
        stop();
    return next;
}

void Zoom::around(double share, double factor, std::size_t steps)
{
    const double all = static_cast<double>(steps);
    const double before = shown(steps);
    const double after = std::clamp(before / factor, std::min(8.0, all), all);
    first = std::clamp(first + share * (before - after), 0.0, all - after);
    count = after >= all ? 0 : after;
}

void Zoom::show(std::size_t step, std::size_t steps)
{
    const double all = static_cast<double>(steps);
    const double width = shown(steps);
    const double at = static_cast<double>(step);
    if (at < first)
        first = at;
    else if (at + 1 > first + width)
        first = at + 1 - width;
    first = std::clamp(first, 0.0, std::max(all - width, 0.0));
}

} // namespace app
