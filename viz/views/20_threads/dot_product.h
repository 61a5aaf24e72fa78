// The row of A and the column of B that an element of C is made of, beside the map of C, and its sum term by term.
#pragma once

#include "viz/draw/stage_part.h"
#include "viz/gl/grid.h"
#include "viz/views/20_threads/thread_map.h"

#include <cstdint>
#include <optional>

namespace viz {

struct DotProduct : StagePart {
    Cell element;                   // of C
    std::optional<Owner> owner;     // of the element
    std::optional<Message> numbers; // what those in C are, where there are any
    const MapMarks& outlined;       // of its block, warp and thread
    const gl::Camera& camera;

    const recording::Recording& recording() const { return *stage.recording; }
    uint32_t terms() const { return recording().problem.K; }
};

// A lies left of the map and moves up and down with it, B lies above and moves to the left and right.
struct DotProductPlace {
    draw::Box a, b, sum, map;
};
// How the box is shared; the map has the shape of C.
DotProductPlace dot_product_place(const Theme& theme, const draw::Box& box, const MapShape& shape,
                                  const recording::Recording& recording);

// Returns the k under the mouse, over A or B. Marks "row of A", "column of B".
std::optional<uint32_t> draw_dot_product(ImDrawList* list, const DotProduct& what, const DotProductPlace& place);

} // namespace viz
