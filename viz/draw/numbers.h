// Prints values in the cells of a picture. Values come from the generator of the inputs, as in the recording.
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

// Returns the value in as few digits as possible: ".4", "-9".
std::string brief_value(const recording::Recording& recording, double value);

// Returns "-0.43", or "12" if the recording was made with whole numbers.
std::string short_value(const recording::Recording& recording, double value);
std::string_view widest_value(const recording::Recording& recording);      // the widest usual value
Quantity exact_value(const recording::Recording& recording, double value); // for sentences

namespace draw {

// Colour of values of A (0) and B (1) in registers. It is quiet, because strong colours mean lanes and stages there.
Colour operand_colour(const Theme& theme, std::size_t array);

// An element's name and value. The name is printed above the value if both fit, otherwise the value alone, or the name
// if the value is empty. Nothing is printed if nothing fits.
struct NamedValue {
    std::string name, value;
    Colour ink = 0;
    bool named = true; // false if the names of neighbours are longer and do not fit
};
// Returns whether every element's name fits into a cell of this width. Names are printed for all elements or for none.
bool names_fit(const Theme& theme, const recording::Array& array, float width);
// Writes words into the middle of a box, if they fit there.
using PutWords = std::function<void(ImFont*, const Box&, Colour, std::string_view)>;
void named_value(const Theme& theme, const Box& box, const NamedValue& what, const PutWords& put);
// Returns the first and end index of the cells that overlap the range [low, high]. The cells start at `start`, `pitch`
// apart.
std::pair<uint32_t, uint32_t> in_sight(double start, double pitch, uint32_t count, double low, double high);
// Calls visit(element, box) for each element that overlaps `sight`.
void each_element(const MatrixFrame& frame, const Box& sight,
                  const std::function<void(const Cell&, const Box&)>& visit);

// Returns whether values fit into the elements of a matrix.
bool values_fit(const Theme& theme, std::string_view widest, const MatrixFrame& frame);
inline bool values_fit(const Theme& theme, const recording::Recording& recording, const MatrixFrame& frame)
{
    return values_fit(theme, widest_value(recording), frame);
}

} // namespace draw

} // namespace viz
