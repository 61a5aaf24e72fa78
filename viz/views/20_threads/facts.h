// What the threads view has of one stage: the elements of C that the selected thread, its warp and its block own, what is said of
// them, and the pictures beside the map of C.
#pragma once

#include "viz/analysis/owner_map.h"
#include "viz/draw/pan_zoom.h"
#include "viz/figure/figure.h"
#include "viz/view.h"

#include <optional>
#include <string>
#include <vector>

namespace viz {

// Good for one frame; what it refers to is kept by the column.
struct ThreadFacts {
    const StageColumn& stage;
    const recording::Recording& recording;
    MapShape shape;                      // of C as it is drawn
    uint32_t block = 0, thread = 0;      // linear in the grid; in the block
    const std::vector<OwnedCell>& owned; // by the block
    std::optional<Cell> element;         // the one that was clicked; until then the first one of the thread
    const MapMarks& marks;
    std::string others_show;      // the recorded block that views of accesses show; empty: there is none
    bool passed_on = false;       // see sums_pass_through_shared
    std::optional<uint64_t> idle; // threads of the launch that own no element of C; none while they are counted

    bool has_product() const;                // whether there is an A and a B that C is the product of
    std::string name_of(Cell element) const; // "C(3,7)"
};
ThreadFacts thread_facts(const ViewScene& scene, const StageColumn& stage);

inline constexpr const char* owner_names[] = {"block", "warp", "lane", "SM"}; // by ColourBy
// What a colour and a number stand for.
Rich colour_words(ColourBy by);

// The one line above the map.
Rich headline(const ThreadFacts& facts);

// A paragraph each: what is launched and what the colours mean, what is outlined, what the element is the sum of.
std::vector<Rich> paragraphs(const ThreadFacts& facts, ColourBy by);

// Who owns an element of C, and which block other views show where they lack its own.
Rich element_words(const ThreadFacts& facts, Cell element);

// How a stage's box is shared. The map has the shape of C; where C is a product, A lies left of it and moves up and down with
// it, B lies above it and moves to the left and right, and the sum of an element has the corner.
struct ThreadPlaces {
    Box map, a{}, b{}, sum{};
};
ThreadPlaces thread_places(const Theme& theme, const ThreadFacts& facts, const Box& box);

struct ThreadPicture {
    const ThreadFacts& facts;
    const ThreadPlaces& places;
    PanZoom& camera; // over the map
    const Theme& theme;
    ColourBy by = ColourBy::block;
    std::vector<Label> numbers = {}; // in the cells of C

    Colour accent() const { return theme.accent(facts.stage.number); }
    MatrixFrame frame() const { return {camera.to_screen(0, 0), static_cast<float>(camera.cell()), facts.shape}; }
    Box box_of(const CellRect& place) const { return camera.to_screen(PanZoom::of(place)); }
};

// In each cell in sight, or else in each of the regions (owner_regions()); none where they have no room.
std::vector<Label> owner_numbers(const ThreadPicture& picture);

// What is outlined, the numbers, and what is pointed at; the map itself lies below.
std::vector<Layer> layers_over_map(const ThreadPicture& picture);

// The numbers of rows and columns at the edges of the map, and the names of what lies beside it.
Panel edges(const ThreadPicture& picture);

// A, B and the sum, of the element that is chosen.
std::vector<Panel> product_panels(const ThreadPicture& picture);

} // namespace viz
