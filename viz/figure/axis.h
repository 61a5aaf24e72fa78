// Axes with ticks at readable values.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace viz {

// An axis of a chart. A logarithmic axis cannot show values at or below zero.
struct Axis {
    double least = 1, most = 10;
    bool logarithmic = true;
    double base = 10; // ratio between labelled ticks of a logarithmic axis
    std::string title = {};
    double step = 0;       // between the ticks of a linear axis; 0: a round number
    std::string unit = {}; // printed after each tick's number: " µs"
    // Labels at these ascending values. They replace the numbered ticks.
    std::vector<std::pair<double, std::string>> names = {};
};

// Returns the labelled values, at most `most`: powers of the base on a logarithmic axis, multiples of the step on a
// linear one.
std::vector<double> ticks_of(const Axis& axis, int most);

// Returns "1/16", "4", "10,000", "1e-05"; on a linear axis "2.5".
std::string tick_text(const Axis& axis, double value);

// Maps an axis to pixels, from left to right. Maps it upwards if `from` is greater than `until`.
class Scale {
public:
    Scale(const Axis& axis, float from, float until) : axis_(axis), from_(from), until_(until) {}
    const Axis& axis() const { return axis_; }
    float at(double value) const;
    double value_at(float pixel) const; // clamped to the axis

private:
    Axis axis_;
    float from_, until_;
};

} // namespace viz
