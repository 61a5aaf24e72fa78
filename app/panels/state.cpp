#include "app/panels/state.h"

namespace app {

void Presenting::press(std::string key, double seconds)
{
    keys.emplace_back(std::move(key), seconds);
    if (keys.size() > most_keys)
        keys.pop_front();
}

void Presenting::move(float x, float y, double seconds)
{
    if (trail.empty() || trail.back().x != x || trail.back().y != y)
        trail.push_back({x, y, seconds});
}

void Presenting::forget(double seconds)
{
    while (!keys.empty() && seconds - keys.front().second > key_seconds)
        keys.pop_front();
    while (trail.size() > 1 && seconds - trail.front().when > trail_seconds)
        trail.pop_front();
}

} // namespace app
