// Facts and texts of the threads view for one stage: the elements of C that the selected thread, its warp and
// its block own.
#pragma once

#include "viz/analysis/fragments.h"
#include "viz/analysis/owner_map.h"
#include "viz/draw/draw.h"
#include "viz/figure/figure.h"
#include "viz/view.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace viz {

// The facts of one frame. The column owns the data that they refer to.
struct ThreadFacts {
    const StageColumn& stage;
    const recording::Recording& recording;
    MapShape shape;                      // of C as drawn
    uint32_t block = 0, thread = 0;      // linear in the grid, linear in the block
    const std::vector<OwnedCell>& owned; // by the block
    std::optional<Cell> element;         // clicked, otherwise the thread's first one
    const MapMarks& marks;
    std::string others_show; // name of the recorded block that access views show; empty if there is none
    bool passed_on = false;  // see sums_pass_through_shared()
    // Of the warp's tile, in the order in which their values arrive. Null if there is only one.
    const std::vector<Subtile>* subtiles = nullptr;
    std::optional<uint64_t> idle; // see threads_without_element(); empty while they are counted
    OwnersKnown known = OwnersKnown::all;

    bool has_product() const;                // C is the product of an A and a B
    std::string name_of(Cell element) const; // "C(3,7)"
};
ThreadFacts thread_facts(const ViewScene& scene, const StageColumn& stage);

// Layout of a stage's box. The map has the shape of C. If C is a product, A is at the left and moves vertically with
// the map, B is above and moves horizontally with it, and the sum of an element is in the corner.
struct ThreadPlaces {
    draw::Box map, a{}, b{}, sum{};
};
ThreadPlaces thread_places(const Theme& theme, const ThreadFacts& facts, const draw::Box& box);

// Explains what a colour and a number mean.
Rich colour_words(ColourBy by);

// Returns the line above the map.
Rich headline(const ThreadFacts& facts);

// Returns paragraphs about the launch, and about the outlines.
std::vector<Rich> paragraphs(const ThreadFacts& facts);

// Describes the owner of an element of C. If other views lack its block, adds which block they show.
Rich element_words(const ThreadFacts& facts, Cell element);

// Returns the index of the owner's block, with as many components as the grid has axes.
std::string block_words(const Owner& owner, const recording::Launch& launch);

// Returns what a cell of one line shows: the block, or a number (see number_of()).
std::string owner_name(const ThreadFacts& facts, const Owner& owner, ColourBy by, bool each_cell);
// Returns what is known about an element, the most important lines first: the global index of its thread, its value.
// Elements of one recording have the same lines.
std::vector<std::string> owner_lines(const ThreadFacts& facts, Cell element, const Owner& owner);
// Returns the indices of the lines that fit into each of these cells of the map, and not more than fit below each other.
std::vector<std::size_t> lines_with_room(const Theme& theme, const ThreadFacts& facts,
                                         const std::vector<CellRect>& cells, ImVec2 size);

inline constexpr std::string_view owner_names[] = {"block", "warp", "lane", "SM", "value"}; // indexed by ColourBy

// Returns the number that a cell shows: that of its warp, lane or SM if `by` is one of these, otherwise that of its
// thread. largest_number() returns the largest number in the launch.
uint32_t number_of(const Owner& owner, ColourBy by);
uint32_t largest_number(const recording::Recording& recording, ColourBy by);

// Returns whether one of the recordings has the SMs of its blocks.
bool sm_known(const ViewScene& scene);

// Returns the possible colourings of C. Values are among them only if a recording has some.
std::span<const ColourBy> colours_of(const ViewScene& scene);

// Returns how far cells may be stretched. Those of a short vector fill the box. Those of a long one stay square, as the
// renderer needs (viz/gl/grid.h).
double largest_stretch(const MapShape& shape, const draw::Box& map);

// Adds an arrow in the direction in C in which threadIdx.x counts, in the box of the selected block: from thread 0's first
// element to that of thread 1, if it lies to the right or below. Marks "x to the right" or "x downwards" (pictures.cpp).
void add_axis(ShapeLayer& shapes, std::vector<Label>& labels, const ThreadFacts& facts, const Theme& theme,
              const draw::Box& block);

// Returns the product as a linear layer of a network: rows of A are inputs, columns of B the weights of an output
// (pictures.cpp).
Panel network_panel(const Theme& theme, const recording::Problem& problem, const draw::Box& box);

} // namespace viz
