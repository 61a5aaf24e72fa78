// What the lanes of a warp hold for one k, and the products that they make of it; and what a thread's registers are
// spent on.
#pragma once

#include "viz/analysis/fragments.h"
#include "viz/analysis/values.h"
#include "viz/draw/stage_part.h"

#include <array>
#include <cstdint>
#include <optional>

namespace viz {

struct FragmentPicture {
    const StagePart& part;
    const Fragments& fragments;
    const recording::Recording& recording; // whose elements have values
    RunningSums& sums;                     // of its C
    std::optional<uint32_t> added_up_to;   // the sums so far hold the products of all k below; nothing: not known
    bool stored = false;                   // nothing is multiplied any more: the sums are being stored
    bool elsewhere = false; // the operands lie in local memory, see RegisterUse; mark "local memory" says so
};

Colour fragment_colour(const Theme& theme, bool of_a);

// The warp's rows of A's column k at the left, its columns of B's row k above, and who computes each product; rows and
// columns that the warp does not use are left out. Returns the lane whose product is under the mouse. One ImGui item. Marks
// "product of lane N", its first run of cells; "fragment A", "fragment B" of the selected lane.
std::optional<uint32_t> draw_warp_products(const FragmentPicture& picture, const draw::Box& box);

// The same for the selected lane alone, with its elements named, and their values where there is room. What is under the mouse
// is said beside it.
void draw_lane_products(const FragmentPicture& picture, const draw::Box& box);

// What lanes hold of one matrix, with the lane in each element; `of_a` as in LaneFragment. Returns the height.
float draw_held(const StagePart& part, const std::array<LaneFragment, recording::warp_size>& held, bool of_a,
                const draw::Box& box);

// The registers of a thread as one bar: sums, fragments, the rest. In the upper part of the stage's box. Returns the height;
// nothing where they are not known.
float draw_register_bar(const StagePart& stage, const RegisterUse& use);

} // namespace viz
