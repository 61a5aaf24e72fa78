// The part of a time that is shown, of one or several charts; zoomed and moved by keys and by the mouse.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace viz {

struct TimeWindow {
    double from = 0, until = 1; // in the chart's unit
    double span() const { return until - from; }
    friend bool operator==(const TimeWindow&, const TimeWindow&) = default;

    struct Limits {
        double whole = 1; // the time there is: from 0 on
        double least = 0; // that can be shown, but for a `whole` that is less
    };
    // What is at `around` stays where it is, as far as the limits let it.
    void zoom(double factor, double around, const Limits& limits);
    void move(double by, const Limits& limits);

    void use_keys(const Limits& limits);
    // For the ImGui item drawn last: the wheel, over a chart between two places on the screen.
    void use_wheel(float left, float right, const Limits& limits);
    static std::vector<std::pair<std::string, std::string>> keys();
};

} // namespace viz
