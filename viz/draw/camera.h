// The visible part of a plane or of a time axis, and the progress of a step's animation.
#pragma once

#include "viz/analysis/ownership.h"
#include "viz/draw/draw.h"
#include "viz/view.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace viz {

// Limits of the zoom.
struct ZoomLimits {
    double stretch = 1;   // largest ratio between height and width of a cell, used to fill the box
    double nearest = 400; // largest width of a cell in pixels
    // If the whole plane is visible and not stretched, cells of more than two pixels get a whole number of pixels.
    bool whole_pixels = true;
};

// A camera over a plane of cells. Keys, wheel and dragging move it; jumps are animated.
class PanZoom {
public:
    struct Rect { // in cells
        double x = 0, y = 0, width = 1, height = 1;
    };
    static Rect of(const CellRect& cells)
    {
        return {static_cast<double>(cells.col), static_cast<double>(cells.row), static_cast<double>(cells.cols),
                static_cast<double>(cells.rows)};
    }

    // Must be called in each frame with the box of the plane and the plane's size. Fits the plane to the box when one
    // of them changes, until the user moves the camera.
    void follow(const draw::Box& box, double width, double height, const ZoomLimits& limits = {});

    // The following functions have no effect before the first follow().
    void show(const Rect& rect, double room = 0.8); // moves there smoothly
    void show_all();
    void zoom(double factor, ImVec2 around);
    void zoom_in() { zoom(1.25, box.middle()); }
    void zoom_out() { zoom(0.8, box.middle()); }
    void move(double right, double down); // as fractions of the visible part
    void back();                          // returns to the position before the last jump or wheel turn
    // Handles wheel, dragging and double click (which zooms in) on the last ImGui item.
    void use_mouse();

    bool gliding() const { return gliding_; }
    double cell() const { return now.cell; } // width in pixels
    double cell_height() const { return now.cell * now.stretch; }
    ImVec2 to_screen(double x, double y) const;
    draw::Box to_screen(const Rect& rect) const;
    std::pair<double, double> from_screen(ImVec2 point) const;
    Rect seen() const;

    // Returns the commands for the keys + - 0 h ; k j and Backspace. They move all cameras that `shown` returns.
    static ViewCommands commands(const std::function<std::vector<PanZoom*>()>& shown);

private:
    struct State {
        double x = 0, y = 0, cell = 1; // of the centre
        double stretch = 1;            // height of a cell relative to its width
    };
    bool placed() const { return plane_width > 0; } // follow() was called
    State whole() const;
    State limited(State state) const;
    void remember();                                   // saves the position when a jump or a wheel turn begins
    double filling(double width, double height) const; // the stretch at which these cells fill the box

    draw::Box box{};
    double plane_width = 0, plane_height = 0;
    ZoomLimits limits_;
    State now, goal;
    bool fitted = true, gliding_ = false;
    std::vector<State> before; // the most recent at the end
    double turned = -1;        // time of the last wheel turn, in ImGui's seconds
};

// The visible range of a time axis, shared by one or several charts. Keys and the mouse zoom and move it.
struct TimeWindow {
    double from = 0, until = 1; // in the chart's unit
    double span() const { return until - from; }
    friend bool operator==(const TimeWindow&, const TimeWindow&) = default;

    struct Limits {
        double whole = 1; // the whole time, which starts at 0
        double least = 0; // shortest visible span; `whole` if that is shorter
    };
    // Zooms so that the time `around` keeps its position, as far as the limits allow.
    void zoom(double factor, double around, const Limits& limits);
    void move(double by, const Limits& limits);

    void zoom_around_middle(double factor, const Limits& limits) { zoom(factor, (from + until) / 2, limits); }
    void move_by_quarters(int quarters, const Limits& limits) { move(quarters * span() / 4, limits); }
    void show_all(const Limits& limits) { *this = {0, limits.whole}; }

    // Handles the wheel on the last ImGui item, for a chart between two horizontal positions on the screen. The wheel
    // zooms, or moves while Shift is held.
    void use_wheel(float left, float right, const Limits& limits);
    void use_mouse(float left, float right, const Limits& limits); // handles dragging too
    // Returns the commands for the keys + - 0 h ;. `shown` returns null while the window is not visible.
    static ViewCommands commands(const std::function<TimeWindow*()>& shown, const std::function<Limits()>& limits);
};

// The progress of a step's animation. Words of one turn start and arrive together. Those of the next turn are a moment
// later, so a step with more turns takes longer.
struct Motion {
    static constexpr double travel = 0.45, between_turns = 0.16; // seconds

    double since = 1e9; // seconds since the step began; large: the animation is over
    // While a clock runs: the fraction of the step that is done. The words of a turn move during that turn, one of
    // `turns`.
    std::optional<double> played = {};
    int turns = 1;

    static double duration(int of) { return travel + between_turns * std::max(0, of - 1); }
    bool over(int of) const { return played ? *played >= 1 : since >= duration(of); }

    // Returns how far the words of a turn have moved: 0 is waiting, 1 has arrived. The movement begins and ends slowly.
    double along(int turn) const
    {
        const double gone = played ? *played * std::max(turns, 1) - turn : (since - between_turns * turn) / travel;
        const double share = std::clamp(gone, 0.0, 1.0);
        return share * share * (3 - 2 * share);
    }
};

} // namespace viz
