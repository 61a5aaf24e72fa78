// What a warp's lanes do together with their registers: shuffles, ldmatrix, and the fragments of tensor cores.
#pragma once

#include "viz/analysis/matrix_fragments.h"
#include "viz/draw/stage_part.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace viz {

// Each returns the lane that is clicked; what is under the mouse is said beside it. One ImGui item.

// Two rows of lanes, a line from each lane that is asked to each that gets the value. Marks "from N" and "to N".
std::optional<uint32_t> draw_shuffle(const StagePart& part, const recording::Access& access, const draw::Box& box);

// The four 8 x 8 matrices of an ldmatrix: beside each row the lane that points at it, in each element the lane that gets
// it. Elements of 4 bytes take two places.
struct MatrixLoadPicture {
    const recording::Access& access; // where it is not known whether it is transposed, the elements have no lane
    const recording::Array& tile;
    const Elements& elements;
    std::function<std::string(const Cell&)> value; // of an element of the tile; empty where it is not known
};
std::optional<uint32_t> draw_matrix_load(const StagePart& part, const MatrixLoadPicture& picture, const draw::Box& box);

// A, B and the sums of an mma with the lane that holds each element; or the sums alone. Marks "A of lane N" and so on, of
// the lane's first element.
std::optional<uint32_t> draw_mma(const StagePart& part, MmaShape shape, bool only_sums, const draw::Box& box);

// Of A (0), B (1) or the sums (2), of their element, and the same in fewer digits; nothing where it is not known.
using WmmaValue = std::function<std::optional<std::pair<std::string, std::string>>(std::ptrdiff_t, const Cell&)>;

// The same of WMMA, whose fragments are opaque: three matrices that all lanes hold together. Marks "fragment A value 0.5" of
// the first element.
// Its box for A, B and the sums leaves a corner free, which is returned.
draw::Box draw_wmma(const StagePart& part, MmaShape shape, const WmmaValue& value, const draw::Box& box);

} // namespace viz
