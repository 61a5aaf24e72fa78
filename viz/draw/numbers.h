// Values printed in the cells of a picture: of the inputs' generator, as the recording was made with them.
#pragma once

#include "viz/draw/matrix_picture.h"
#include "viz/text/message.h"

#include "recording/recording.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace viz {

// The same in as few digits as tell it: ".4", "-9".
std::string brief_value(const recording::Recording& recording, double value);

// "-0.43", or "12" where the recording was made with whole numbers.
std::string short_value(const recording::Recording& recording, double value);
std::string_view widest_value(const recording::Recording& recording);      // that usually occurs
Quantity exact_value(const recording::Recording& recording, double value); // for sentences

namespace draw {

// Of values of A (0) and B (1) in registers: quiet, as colours there are lanes and stages.
Colour operand_colour(const Theme& theme, std::size_t array);

// The name above the value where both fit, else the value; where that is empty, the name. Nothing where there is no room.
struct NamedValue {
    std::string name, value;
    Colour ink = 0;
    bool named = true; // false: its neighbours' names are longer and have no room
};
// Whether every element's name has room in a cell so wide: all have theirs, or none.
bool names_fit(const Theme& theme, const recording::Array& array, float width);
// `put` writes words into the middle of a box, if they fit there.
using PutWords = std::function<void(ImFont*, const Box&, Colour, std::string_view)>;
void named_value(const Theme& theme, const Box& box, const NamedValue& what, const PutWords& put);
// First and end of those of `count` cells, `pitch` from one to the next, that lie at least in part between two places.
std::pair<uint32_t, uint32_t> in_sight(double start, double pitch, uint32_t count, double low, double high);
// Calls visit(element, its box) for those of the matrix that lie at least in part within `sight`.
void each_element(const MatrixFrame& frame, const Box& sight,
                  const std::function<void(const Cell&, const Box&)>& visit);

// Whether values have room in a matrix's elements.
bool values_fit(const Theme& theme, std::string_view widest, const MatrixFrame& frame);
inline bool values_fit(const Theme& theme, const recording::Recording& recording, const MatrixFrame& frame)
{
    return values_fit(theme, widest_value(recording), frame);
}

} // namespace draw

} // namespace viz
