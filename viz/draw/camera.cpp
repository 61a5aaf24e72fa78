#include "viz/draw/camera.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace viz {

namespace {

constexpr double largest_fitted = 200; // largest width of a cell, in pixels, when the plane is fitted to the box
constexpr double one_turn = 0.7;       // seconds; wheel turns within this time count as one movement
constexpr std::size_t most_before = 32;

} // namespace

double PanZoom::filling(double width, double height) const
{
    return std::clamp(box.height() / height / (box.width() / width), 1 / limits_.stretch, limits_.stretch);
}

PanZoom::State PanZoom::whole() const
{
    const double stretch = filling(plane_width, plane_height);
    double cell = std::min(box.width() / plane_width, box.height() / plane_height / stretch);
    if (limits_.stretch > 1)
        cell = std::min(cell, largest_fitted);
    else if (limits_.whole_pixels && cell > 2)
        cell = std::floor(std::min(cell, largest_fitted));
    // Aligns the upper left corners of the plane and the box.
    return {box.width() / 2 / cell, box.height() / 2 / cell / stretch, cell, stretch};
}

// Limits the zoom. If the plane is larger than the box, nothing outside the plane is shown.
PanZoom::State PanZoom::limited(State state) const
{
    state.cell = std::clamp(state.cell, std::min(whole().cell, 1.0), limits_.nearest);
    const auto within = [](double middle, double half, double length) {
        return length > 2 * half ? std::clamp(middle, half, length - half) : half;
    };
    state.x = within(state.x, box.width() / 2 / state.cell, plane_width);
    state.y = within(state.y, box.height() / 2 / state.cell / state.stretch, plane_height);
    return state;
}

void PanZoom::follow(const draw::Box& wanted, double width, double height, const ZoomLimits& limits)
{
    // A box without area has no scale. Zooming in it would give a later, larger box an undefined position.
    const draw::Box place{wanted.min,
                          {std::max(wanted.min.x + 1, wanted.max.x), std::max(wanted.min.y + 1, wanted.max.y)}};
    limits_ = limits;
    const bool other = width != plane_width || height != plane_height;
    const bool resized = place.width() != box.width() || place.height() != box.height();
    box = place;
    plane_width = width;
    plane_height = height;
    if (other)
        before.clear();
    if (other || (fitted && resized)) {
        fitted = true;
        gliding_ = false;
        now = goal = whole();
    }
    if (!gliding_)
        return;
    // Sizes change by equal factors in equal times. The position follows the size, so that the path looks straight.
    const double share = 1 - std::exp(-ImGui::GetIO().DeltaTime * 14.0);
    now.cell *= std::pow(goal.cell / now.cell, share);
    now.stretch *= std::pow(goal.stretch / now.stretch, share);
    now.x += (goal.x - now.x) * share;
    now.y += (goal.y - now.y) * share;
    if (std::abs(goal.cell / now.cell - 1) < 0.004 && std::abs(goal.x - now.x) * goal.cell < 1 &&
        std::abs(goal.y - now.y) * goal.cell * goal.stretch < 1) {
        now = goal;
        gliding_ = false;
    }
}

void PanZoom::remember()
{
    before.push_back(now);
    if (before.size() > most_before)
        before.erase(before.begin());
}

void PanZoom::back()
{
    if (!placed())
        return;
    if (before.empty())
        return show_all();
    goal = limited(before.back());
    before.pop_back();
    fitted = false;
    gliding_ = true;
}

void PanZoom::show(const Rect& rect, double room)
{
    if (!placed())
        return;
    remember();
    goal.stretch = filling(rect.width, rect.height);
    goal.cell =
        std::min({box.width() * room / rect.width, box.height() * room / rect.height / goal.stretch, limits_.nearest});
    goal.x = rect.x + rect.width / 2;
    goal.y = rect.y + rect.height / 2;
    goal = limited(goal);
    fitted = false;
    gliding_ = true;
}

void PanZoom::show_all()
{
    if (!placed())
        return;
    goal = whole();
    fitted = true;
    gliding_ = true;
}

void PanZoom::zoom(double factor, ImVec2 around)
{
    if (!placed())
        return;
    const auto [x, y] = from_screen(around);
    State next = now;
    next.cell *= factor;
    next = limited(next);
    next.x = x - (around.x - box.middle().x) / next.cell;
    next.y = y - (around.y - box.middle().y) / next.cell / next.stretch;
    now = goal = limited(next);
    fitted = gliding_ = false;
}

void PanZoom::move(double right, double down)
{
    if (!placed())
        return;
    now.x += right * box.width() / now.cell;
    now.y += down * box.height() / cell_height();
    now = goal = limited(now);
    fitted = gliding_ = false;
}

void PanZoom::use_mouse()
{
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left) &&
        (io.MouseDelta.x != 0 || io.MouseDelta.y != 0))
        move(-io.MouseDelta.x / box.width(), -io.MouseDelta.y / box.height());
    if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
        if (ImGui::GetTime() - turned > one_turn)
            remember();
        turned = ImGui::GetTime();
        zoom(std::pow(1.25, io.MouseWheel), io.MousePos);
    }
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        constexpr double nearer = 3;
        const auto [x, y] = from_screen(io.MousePos);
        const Rect all = seen();
        show({x - all.width / nearer / 2, y - all.height / nearer / 2, all.width / nearer, all.height / nearer}, 1);
    }
}

ImVec2 PanZoom::to_screen(double x, double y) const
{
    const ImVec2 middle = box.middle();
    return {static_cast<float>(middle.x + (x - now.x) * now.cell),
            static_cast<float>(middle.y + (y - now.y) * cell_height())};
}

draw::Box PanZoom::to_screen(const Rect& rect) const
{
    return {to_screen(rect.x, rect.y), to_screen(rect.x + rect.width, rect.y + rect.height)};
}

std::pair<double, double> PanZoom::from_screen(ImVec2 point) const
{
    const ImVec2 middle = box.middle();
    return {now.x + (point.x - middle.x) / now.cell, now.y + (point.y - middle.y) / cell_height()};
}

PanZoom::Rect PanZoom::seen() const
{
    const auto [x, y] = from_screen(box.min);
    return {x, y, box.width() / now.cell, box.height() / cell_height()};
}

ViewCommands PanZoom::commands(const std::function<std::vector<PanZoom*>()>& shown)
{
    const auto each = [&](auto act) {
        return [shown, act](const ViewScene&) {
            for (PanZoom* camera : shown())
                act(*camera);
        };
    };
    const auto moving = [&](int right, int down) {
        constexpr double stride = 0.15;
        return each([=](PanZoom& camera) { camera.move(stride * right, stride * down); });
    };
    return {{"+", "zoom in", each(std::mem_fn(&PanZoom::zoom_in))},
            {"-", "zoom out", each(std::mem_fn(&PanZoom::zoom_out))},
            {"0", "show all", each(std::mem_fn(&PanZoom::show_all))},
            {"Backspace", "back to where one was; a double click goes nearer", each(std::mem_fn(&PanZoom::back))},
            {"h", "move left", moving(-1, 0)},
            {";", "move right", moving(1, 0)},
            {"k", "move up", moving(0, -1)},
            {"j", "move down", moving(0, 1)}};
}

void TimeWindow::zoom(double factor, double around, const Limits& limits)
{
    const double next = std::clamp(span() / factor, std::min(limits.least, limits.whole), limits.whole);
    const double part = (around - from) / span();
    from = std::clamp(around - part * next, 0.0, limits.whole - next);
    until = from + next;
}

void TimeWindow::move(double by, const Limits& limits)
{
    const double kept = span();
    from = std::clamp(from + by, 0.0, std::max(0.0, limits.whole - kept));
    until = from + kept;
}

void TimeWindow::use_wheel(float left, float right, const Limits& limits)
{
    const ImGuiIO& io = ImGui::GetIO();
    if (!ImGui::IsItemHovered() || (io.MouseWheel == 0 && io.MouseWheelH == 0))
        return;
    if (io.KeyShift || io.MouseWheelH != 0)
        return move(-(io.KeyShift ? io.MouseWheel : io.MouseWheelH) * span() / 10, limits);
    const double part = (io.MousePos.x - left) / std::max(1.0f, right - left);
    zoom(std::pow(1.25, io.MouseWheel), from + part * span(), limits);
}

void TimeWindow::use_mouse(float left, float right, const Limits& limits)
{
    use_wheel(left, right, limits);
    const float by = ImGui::GetIO().MouseDelta.x;
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left) && by != 0)
        move(-by / std::max(1.0f, right - left) * span(), limits);
}

ViewCommands TimeWindow::commands(const std::function<TimeWindow*()>& shown, const std::function<Limits()>& limits)
{
    const auto of_shown = [&](auto act) {
        return [=](const ViewScene&) {
            if (TimeWindow* window = shown())
                act(*window, limits());
        };
    };
    const auto zooming = [&](double factor) {
        return of_shown([=](TimeWindow& window, const Limits& all) { window.zoom_around_middle(factor, all); });
    };
    const auto moving = [&](int by) {
        return of_shown([=](TimeWindow& window, const Limits& all) { window.move_by_quarters(by, all); });
    };
    return {{"+", "zoom into the time; the wheel too", zooming(1.5)},
            {"-", "zoom out of the time", zooming(1 / 1.5)},
            {"h", "move to earlier times", moving(-1)},
            {";", "move to later times", moving(1)},
            {"0", "all of the time", of_shown(std::mem_fn(&TimeWindow::show_all))}};
}

} // namespace viz
