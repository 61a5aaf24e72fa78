// Shapes drawn at random: a mark for each product, over the size of C and over K, in the colour of its share of cuBLAS.
#pragma once

#include "viz/text/message.h"
#include "viz/views/55_roofline/chart_frame.h"

#include <optional>

namespace viz {

// Grey where as fast as cuBLAS, towards amber below and green above; whole at two thirds and at one and a half.
Colour share_colour(const Theme& theme, double share);

// Of a board that has such shapes. One ImGui item; what is under the mouse.
std::optional<Message> draw_random_shapes(const ChartFrame& frame, const draw::Box& box);

} // namespace viz
