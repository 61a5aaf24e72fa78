// Facts, texts and pictures of one shared tile of a stage: the recorded layout, alternative layouts, and their costs.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/bank_picture.h"
#include "viz/analysis/mapping.h"
#include "viz/analysis/ownership.h"
#include "viz/analysis/tile_use.h"
#include "viz/draw/camera.h"
#include "viz/draw/focus.h"
#include "viz/figure/figure.h"
#include "viz/view_options.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace viz {

struct XorBits { // see Mapping
    int from = 0, to = 0, count = 1;
};
void fields(auto& visit, kernels::Like<XorBits> auto& bits)
{
    visit("from", bits.from, kernels::between(0, most_bit));
    visit("to", bits.to, kernels::between(0, most_bit));
    visit("count", bits.count, kernels::between(1, most_bits));
}

// The options of the view, as text "tile=As places=padded padding=3 element=5,76". It contains only the numbers of the
// selected kind of layout.
struct LayoutOptions {
    std::string tile; // empty means the tile of the current access
    Mapping::Kind places = Mapping::Kind::recorded;
    std::optional<int> padding;
    std::optional<XorBits> row_bits, column_bits;
    std::optional<Cell> element;
    std::optional<std::string> formula;

    void set(const Mapping& mapping);
    Mapping mapping() const;
};
void fields(auto& visit, kernels::Like<LayoutOptions> auto& options)
{
    static constexpr std::string_view kinds[] = {"recorded", "row_after_row", "padded", "xor", "formula"};
    visit("tile", options.tile);
    visit("places", options.places, OneOf{kinds});
    visit("padding", options.padding, kernels::between(0, most_padding));
    visit("row_bits", options.row_bits);
    visit("column_bits", options.column_bits);
    visit("element", options.element);
    visit("formula", options.formula, to_the_end);
}

// A layout, and the cost of the recorded accesses in it.
struct TriedPlaces {
    Mapping mapping;
    std::shared_ptr<const Places> places;
    const TileCost* cost = nullptr; // null while the accesses are collected

    bool refused() const { return !places->valid() || (cost != nullptr && cost->refusal); }
    // Requires that the layout is refused.
    const Message& refusal() const { return places->valid() ? *cost->refusal : *places->refusal; }
};

// The layouts that the user tries in one column, and the position of the camera. Kept between frames.
struct Trials {
    static constexpr std::size_t kinds = 5; // as in Mapping::Kind

    struct OfTile {
        Mapping::Kind kind = Mapping::Kind::recorded;
        std::array<std::optional<Mapping>, kinds> by_hand; // set if the user has typed or stepped the values
    };
    std::map<std::string, OfTile> tiles; // by stage and tile
    PanZoom camera;

    // The tile of the following members, which are reset for another tile or block.
    std::tuple<RecordingPtr, const recording::BlockTrace*, uint8_t> of;
    std::optional<Cell> chosen;         // by click
    std::optional<std::string> formula; // initial text of the formula's field; empty after typing

    void begin(const StageColumn& stage, const Focus& focus, uint8_t array);
    void forget(); // resets all tiles to their recorded layouts
};

// A shared tile, for one frame. The column owns the data that it refers to.
class SharedTile {
public:
    static constexpr std::size_t kinds = Trials::kinds;
    static constexpr uint32_t none = 0xffffffff;

    SharedTile(const StageColumn& stage, const Focus& focus, uint8_t array, Trials& trials);

    Mapping::Kind kind() const { return now_.kind; }
    void choose(Mapping::Kind kind);
    const Mapping& mapping() const { return tried(kind()).mapping; }
    // Sets the layout of the selected kind, which then replaces the one that the search finds.
    void set(const Mapping& mapping, bool by_hand = false);
    // Returns the mapping that gives the recorded layout, if `mapping` is the recorded one and there is such a mapping.
    // Otherwise returns `mapping`.
    const Mapping& explained(const Mapping& mapping) const
    {
        return mapping.kind == Mapping::Kind::recorded && origin_ ? *origin_ : mapping;
    }

    const TriedPlaces& tried(Mapping::Kind kind) const { return all[static_cast<std::size_t>(kind)]; }
    const TriedPlaces& recorded() const { return tried(Mapping::Kind::recorded); }
    // Returns the selected layout, or the recorded one if the selected one is invalid.
    const TriedPlaces& shown() const { return tried(kind()).refused() ? recorded() : tried(kind()); }

    const recording::Array& tile() const { return stage_.recording->arrays[array_]; }
    bool shape_is_guessed() const { return is_guessed(*stage_.recording, tile()); }
    const StageColumn& stage() const { return stage_; }
    std::size_t index(Cell cell) const { return std::size_t{cell.row} * tile().cols + cell.col; }
    uint32_t place_of(Cell cell) const { return shown().places->place[index(cell)]; }
    int bank_of(Cell cell) const { return model::bank_of(uint64_t{place_of(cell)} * tile().element_bytes); }
    // Returns the index of the element at a place of the visible layout, or `none`.
    uint32_t element_at(std::size_t place) const { return place < places() ? (*element_at_)[place] : none; }
    std::size_t places() const { return element_at_->size(); }
    // Returns how much of the selected warp's accesses to the tile precede the step: 0 to 1.
    double done() const { return done_; }
    // Returns the threads that write and read an element.
    const std::vector<CellUse>& uses(Cell cell) const;

    PanZoom& camera;
    std::optional<Cell>& chosen;       // by click
    std::optional<std::size_t> step;   // the visible shared access, if it is to this tile
    std::optional<BankPicture> access; // that access in the visible layout

private:
    Mapping mapping_of(Mapping::Kind kind) const;
    void try_all();
    void show_access(const Focus& focus);

    const StageColumn& stage_;
    const recording::BlockTrace& block_;
    uint8_t array_;
    Trials& trials_;
    Trials::OfTile& now_;
    const std::optional<Mapping>& origin_;
    const std::shared_ptr<const TileUse>* use_ = nullptr; // null while the accesses are collected
    // The XOR that avoids the conflicts of the recorded layout; null while the search runs.
    const std::optional<Mapping>* cure_ = nullptr;
    std::array<TriedPlaces, kinds> all;
    const std::vector<uint32_t>* element_at_ = nullptr; // by place, in the visible layout
    double done_ = 0;
};

// Returns the step if it accesses shared memory, or else the nearest one that does.
std::optional<std::size_t> step_in_shared(const Focus& focus);

// Returns the name of the tile that step_in_shared() accesses.
std::string tile_of_step(const Focus& focus);
// Returns the clicked element. Without one, returns the first element of the access whose place has flipped bits if
// lane 0 is selected, or else the first element of the selected lane or of the access.
std::optional<Cell> selected_cell(const SharedTile& tile, const Focus& focus, uint32_t lane);

// Returns the indices of the shared tiles that are small enough to be drawn.
std::vector<uint8_t> shared_tiles(const recording::Recording& recording);

// Returns "As: 512 conflicts, recorded 8,704".
Rich tile_headline(const SharedTile& tile);
// Returns paragraphs about the tile's size and layout, the element, why the access takes so long, and the colours.
std::vector<Rich> tile_paragraphs(const Theme& theme, const SharedTile& tile, std::optional<Cell> cell);
Rich element_words(const SharedTile& tile, Cell cell);         // its location
std::string_view places_name(Mapping::Kind kind);              // "as recorded"
Rich places_words(const SharedTile& tile, Mapping::Kind kind); // their cost, or why they are refused
std::string refusal_in_short(const TriedPlaces& tried);

// The tile in memory (pictures.cpp): a column for each bank, with highlighted words of the current access.
class TileMemory {
public:
    TileMemory(const ViewFrame& frame, SharedTile& tile, const Box& box);
    std::optional<Cell> element_at(ImVec2 point) const;
    void show_access(); // moves the camera to the access's words
    // `elsewhere` is the name of the tile that the step accesses, if it is another one. Marks of the first stage:
    // "waiting words", "first words", "tile cell", "name of row 7", "step elsewhere".
    void add(Figure& figure, std::optional<Cell> selected, const std::string& elsewhere) const;

private:
    Box words(double bank, double line, double count) const; // box of adjacent banks in a line
    Box box_of(Cell cell) const;
    uint32_t element_in(uint32_t line, uint32_t number) const;
    Panel heads(const std::string& elsewhere) const;
    Panel names() const;
    CellLayer cells() const;
    void add_access(ShapeLayer& shapes, LabelLayer& labels) const;
    CalloutLayer callout() const;

    const ViewFrame& frame;
    const Theme& theme;
    SharedTile& tile;
    Box box, inner;
    uint32_t per_line = model::banks, lines = 1; // in elements; number of lines
    double width = 1, stretch = 1; // width of an element in banks; height of a line relative to the width of a bank
};

// Shows a row for each layout: the cost of every source line, and a bar of all wavefronts. The bars race. At the time
// at which the recorded layout reaches the current step, each bar shows how far its own layout is. Marks of the first
// stage: "places XOR", "race XOR", "done XOR", and "conflicts 76 w" for the visible layout.
struct TileCosts {
    const Theme& theme;
    const SharedTile& tile;
    Box box;
    std::optional<Cell> cell; // its bank is shown for each layout
    bool formulas = true;     // shown below each name, if there is room
    std::function<void(Mapping::Kind)> choose;
};
Panel costs_panel(const TileCosts& costs);
float costs_height(const Theme& theme, bool formulas);
float costs_names(const Theme& theme); // width of the names

} // namespace viz
