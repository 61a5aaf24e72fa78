// A plot with logarithmic axes (or a linear one upwards): ticks at readable values, lines, points.
#pragma once

#include "viz/draw/draw.h"

#include <string>
#include <vector>

namespace viz {

// One direction. Values at or below zero have no place on a logarithmic one.
struct Axis {
    double least = 1, most = 10;
    bool logarithmic = true;
    double base = 10; // of its labelled ticks
    std::string title;
};

class Plot {
public:
    // Takes room for the labels from `box`.
    Plot(const Axis& right, const Axis& up, const draw::Box& box, const Theme& theme);

    const draw::Box& area() const { return area_; }
    float x(double value) const;
    float y(double value) const;
    ImVec2 at(double right, double up) const { return {x(right), y(up)}; }
    void draw_axes(ImDrawList* list) const;

private:
    static double share(const Axis& axis, double value);
    void draw_ticks(ImDrawList* list, bool upwards) const;

    Axis right_, up_;
    const Theme& theme_;
    draw::Box place_, area_;
};

// Ticks that are labelled: powers of the base, every n-th so that there are at most `most`; of a linear axis round numbers.
std::vector<double> ticks_of(const Axis& axis, int most);

// "1/16", "4", "10,000"
std::string tick_text(double value);

} // namespace viz
