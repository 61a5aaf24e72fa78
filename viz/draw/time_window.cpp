#include "viz/draw/time_window.h"

#include "viz/draw/draw.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace viz {

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
