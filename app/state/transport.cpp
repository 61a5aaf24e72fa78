#include "app/state/transport.h"

#include <algorithm>

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

void Playback::set_speed(double speed)
{
    speed_ = std::clamp(speed, least_speed, most_speed);
}

void Playback::advance(double seconds, double end)
{
    if (!playing_)
        return;
    time_ = std::min(time_ + seconds * speed_, end);
    if (time_ >= end)
        stop();
}

void Zoom::around(double share, double factor, double all)
{
    const double before = shown(all);
    const double after = std::clamp(before / factor, std::min(8.0, all), all);
    first = std::clamp(first + share * (before - after), 0.0, all - after);
    count = after >= all ? 0 : after;
}

void Zoom::show(double begin, double end, double all)
{
    const double width = shown(all);
    if (begin < first)
        first = begin;
    else if (end > first + width)
        first = std::min(begin, end - width);
    first = std::clamp(first, 0.0, std::max(all - width, 0.0));
}

} // namespace app
