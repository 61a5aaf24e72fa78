// A shared tile as it lies in memory: 32 banks wide, each word in the colour of the column that it holds.
#pragma once

#include "viz/draw/draw.h"
#include "viz/text/message.h"

#include "recording/recording.h"

#include <optional>
#include <string>

namespace viz {

// The first shared array whose elements lie elsewhere than in the other recording; null: all lie alike.
const recording::Array* moved_array(const recording::Recording& recording, const recording::Recording& other);

// Fills the box's width. Returns what is said of the element under the mouse.
std::optional<Message> draw_layout(const Theme& theme, const std::string& slug, const recording::Array& array,
                                   const draw::Box& box);

} // namespace viz
