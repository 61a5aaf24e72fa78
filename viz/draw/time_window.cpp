#include "viz/draw/time_window.h"

#include "viz/draw/draw.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

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

void TimeWindow::use_keys(const Limits& limits)
{
    const double middle = (from + until) / 2;
    if (draw::typed('+') || draw::typed('='))
        zoom(1.5, middle, limits);
    if (draw::typed('-'))
        zoom(1 / 1.5, middle, limits);
    if (draw::typed('0'))
        *this = {0, limits.whole};
    if (const int by = draw::typed_step(';', 'h'); by != 0)
        move(by * span() / 4, limits);
}

void TimeWindow::use_wheel(float left, float right, const Limits& limits)
{
    const ImGuiIO& io = ImGui::GetIO();
    if (!ImGui::IsItemHovered() || io.MouseWheel == 0)
        return;
    const double part = (io.MousePos.x - left) / std::max(1.0f, right - left);
    zoom(std::pow(1.25, io.MouseWheel), from + part * span(), limits);
}

std::vector<std::pair<std::string, std::string>> TimeWindow::keys()
{
    return {{"+", "zoom into the time; the wheel too"},
            {"-", "zoom out of the time"},
            {"h", "move to earlier times"},
            {";", "move to later times"},
            {"0", "all of the time"}};
}

} // namespace viz
