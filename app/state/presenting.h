// In front of a class: large type, where the pointer was, which keys were pressed; and figures of time that wait to be revealed.
#pragma once

#include <deque>
#include <string>
#include <utility>

namespace app {

struct Presenting {
    bool on = false;
    std::deque<std::pair<std::string, double>> keys; // and when, in seconds since start; the latest last

    struct Point {
        float x = 0, y = 0;
        double when = 0;
    };
    std::deque<Point> trail; // of the pointer; the latest last

    void press(std::string key, double seconds);
    void move(float x, float y, double seconds);
    void forget(double seconds); // what is too old to be shown
    bool moves() const { return on && (!keys.empty() || trail.size() > 1); }

    static constexpr float scale = 1.35f; // of type, beside what was chosen
    static constexpr double key_seconds = 3, trail_seconds = 0.8;
    static constexpr std::size_t most_keys = 6;
};

} // namespace app
