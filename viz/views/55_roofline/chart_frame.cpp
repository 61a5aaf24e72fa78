#include "viz/views/55_roofline/chart_frame.h"

namespace viz {

Colour Emphasis::colour(const Theme& theme, const std::string& slug) const
{
    if (slug == first)
        return theme.accent();
    if (slug == second)
        return theme.accent(1);
    if (slug == third)
        return theme.accent(2);
    return slug == pointed ? theme.ink : 0;
}

bool uses_tensor_cores(const std::string& type)
{
    return type != "fp32";
}

bool shows_tensor_cores(const ChartFrame& frame)
{
    const RungFigures* chosen = frame.board.find(frame.emphasis.first);
    return chosen != nullptr && uses_tensor_cores(chosen->type);
}

} // namespace viz
