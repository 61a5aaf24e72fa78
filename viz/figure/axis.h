// Axes with ticks at readable values.
#pragma once

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

} // namespace viz
