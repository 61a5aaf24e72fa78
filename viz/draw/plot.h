// Plots: axes with ticks at readable values, curves and points on them, and the point nearest to the mouse.
#pragma once

#include "viz/draw/draw.h"
#include "viz/marks.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace viz {

// One direction. Values at or below zero have no place on a logarithmic one.
struct Axis {
    double least = 1, most = 10;
    bool logarithmic = true;
    double base = 10; // of the labelled ticks of a logarithmic axis
    std::string title = {};
    double step = 0;       // between the ticks of a linear axis; 0: a round number
    std::string unit = {}; // after the number at each tick: " µs"
    std::vector<std::pair<double, std::string>> names =
        {}; // at these values, which ascend, instead of ticks with numbers
};

// The values that are labelled: powers of the base, every n-th so that there are at most `most`; of a linear axis its steps.
std::vector<double> ticks_of(const Axis& axis, int most);

// "1/16", "4", "10,000", "1e-05"; on a linear axis "2.5".
std::string tick_text(const Axis& axis, double value);

// An axis from one pixel to another: to the right, or upwards where `from` is the larger one.
class Scale {
public:
    Scale(const Axis& axis, float from, float until) : axis_(axis), from_(from), until_(until) {}
    const Axis& axis() const { return axis_; }
    float at(double value) const;
    double value_at(float pixel) const; // within the axis, also beside it

private:
    Axis axis_;
    float from_, until_;
};

// Lines down from `top` to `bottom` at the ticks of an axis to the right, and numbers below where they do not touch:
// from `left` to `right` at the most.
struct TicksBelow {
    float top = 0, bottom = 0, left = 0, right = 0;
};
void draw_ticks(ImDrawList* list, const Theme& theme, const Scale& scale, const TicksBelow& place);

// Points joined by a line, from left to right. Both lengths are pixels at scale 1; 0: none are drawn.
struct Curve {
    struct Point {
        double right = 0, up = 0;
    };
    std::vector<Point> points;
    Colour colour = 0;
    float line = 0, radius = 0;
};

struct PointOnCurve {
    std::size_t curve = 0, point = 0;
};

class Plot {
public:
    // Takes room for the labels from `box`. The theme must live as long as the plot.
    Plot(const Axis& right, const Axis& up, const draw::Box& box, const Theme& theme);

    const draw::Box& area() const { return area_; }
    ImVec2 at(double right, double up) const { return {right_.at(right), up_.at(up)}; }
    ImVec2 at(const Curve::Point& point) const { return at(point.right, point.up); }
    const Scale& right() const { return right_; }
    const Scale& up() const { return up_; }

    void draw_axes(ImDrawList* list) const;
    void draw(ImDrawList* list, const Curve& curve) const;

    // Its area as an ImGui item, marked "chart:NAME"; whether the mouse is over it.
    bool item(const char* name, Marks* marks) const;

    // The point nearest to a place on the screen, where one is within reach of it.
    std::optional<PointOnCurve> nearest(std::span<const Curve> curves, ImVec2 place) const;

private:
    const Theme& theme_;
    draw::Box place_, area_;
    Scale right_, up_;
};

} // namespace viz
