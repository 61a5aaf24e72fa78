// The visible part of a time axis, shared by one or several charts. Keys and the mouse zoom and move it.
#pragma once

#include "viz/view.h"

#include <functional>

namespace viz {

// The visible range of a time axis.
struct TimeWindow {
    double from = 0, until = 1; // in the chart's unit
    double span() const { return until - from; }
    friend bool operator==(const TimeWindow&, const TimeWindow&) = default;

    struct Limits {
        double whole = 1; // the whole time, which starts at 0
        double least = 0; // shortest span that can be shown, unless `whole` is shorter
    };
    // Zooms so that the time `around` keeps its position, as far as the limits allow.
    void zoom(double factor, double around, const Limits& limits);
    void move(double by, const Limits& limits);

    void zoom_around_middle(double factor, const Limits& limits) { zoom(factor, (from + until) / 2, limits); }
    void move_by_quarters(int quarters, const Limits& limits) { move(quarters * span() / 4, limits); }
    void show_all(const Limits& limits) { *this = {0, limits.whole}; }

    // Handles the wheel on the last ImGui item, for a chart between two horizontal positions on the screen. The wheel
    // zooms; with Shift it moves.
    void use_wheel(float left, float right, const Limits& limits);
    void use_mouse(float left, float right, const Limits& limits); // handles dragging too
    // Returns the commands for the keys + - 0 h ;. `shown` returns null while the window is not visible.
    static ViewCommands commands(const std::function<TimeWindow*()>& shown, const std::function<Limits()>& limits);
};

} // namespace viz
