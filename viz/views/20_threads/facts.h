// Facts, texts and pictures of the threads view for one stage: the elements of C that the selected thread, its warp and
// its block own. The map of C itself is drawn elsewhere.
#pragma once

#include "viz/analysis/owner_map.h"
#include "viz/draw/pan_zoom.h"
#include "viz/figure/figure.h"
#include "viz/view.h"

#include <optional>
#include <string>
#include <vector>

namespace viz {

// Valid for one frame. The column owns the data that it refers to.
struct ThreadFacts {
    const StageColumn& stage;
    const recording::Recording& recording;
    MapShape shape;                      // of C as drawn
    uint32_t block = 0, thread = 0;      // linear in the grid, linear in the block
    const std::vector<OwnedCell>& owned; // by the block
    std::optional<Cell> element;         // the clicked element, otherwise the first one of the thread
    const MapMarks& marks;
    std::string others_show;      // the recorded block that access views show; empty if there is none
    bool passed_on = false;       // see sums_pass_through_shared()
    std::optional<uint64_t> idle; // threads of the launch that own no element of C; empty while they are counted

    bool has_product() const;                // C is the product of an A and a B
    std::string name_of(Cell element) const; // "C(3,7)"
};
ThreadFacts thread_facts(const ViewScene& scene, const StageColumn& stage);

inline constexpr const char* owner_names[] = {"block", "warp", "lane", "SM"}; // indexed by ColourBy
// Explains what a colour and a number mean.
Rich colour_words(ColourBy by);

// Returns the line above the map.
Rich headline(const ThreadFacts& facts);

// Returns paragraphs about the launch and the colours, the outlines, and the sum in the element.
std::vector<Rich> paragraphs(const ThreadFacts& facts, ColourBy by);

// Describes the owner of an element of C, and the block that other views show if they lack its block.
Rich element_words(const ThreadFacts& facts, Cell element);

// Layout of a stage's box. The map has the shape of C. If C is a product, A is at its left and moves vertically with
// it, B is above it and moves horizontally with it, and the sum of an element is in the corner.
struct ThreadPlaces {
    Box map, a{}, b{}, sum{};
};
ThreadPlaces thread_places(const Theme& theme, const ThreadFacts& facts, const Box& box);

// The input of the pictures.
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

// Returns the numbers in all visible cells, or in all regions (owner_regions()). Empty if there is no room.
std::vector<Label> owner_numbers(const ThreadPicture& picture);

// Returns outlines, numbers and tips, drawn over the map.
std::vector<Layer> layers_over_map(const ThreadPicture& picture);

// Returns the row and column numbers at the map's edges, and the names of the matrices beside it.
Panel edges(const ThreadPicture& picture);

// Returns A, B and the sum, for the selected element.
std::vector<Panel> product_panels(const ThreadPicture& picture);

} // namespace viz
