// The part of a time that is shown, of one or several charts; zoomed and moved by keys and by the mouse.
#pragma once

#include "viz/view.h"

#include <functional>

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

    void zoom_around_middle(double factor, const Limits& limits) { zoom(factor, (from + until) / 2, limits); }
    void move_by_quarters(int quarters, const Limits& limits) { move(quarters * span() / 4, limits); }
    void show_all(const Limits& limits) { *this = {0, limits.whole}; }

    // For the ImGui item drawn last: the wheel zooms, over a chart between two places on the screen; with Shift it moves.
    void use_wheel(float left, float right, const Limits& limits);
    void use_mouse(float left, float right, const Limits& limits); // dragging, too
    // Keys + - 0 h ;. `shown`: null while it is not shown.
    static ViewCommands commands(const std::function<TimeWindow*()>& shown, const std::function<Limits()>& limits);
};

} // namespace viz
