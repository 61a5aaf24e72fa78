// A shared tile of one stage: the places of its elements as recorded and as they could be, what each costs, what is said of it, and
// its pictures.
#pragma once

#include "viz/analysis/access.h"
#include "viz/analysis/bank_picture.h"
#include "viz/analysis/mapping.h"
#include "viz/analysis/ownership.h"
#include "viz/analysis/tile_use.h"
#include "viz/draw/focus.h"
#include "viz/draw/pan_zoom.h"
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

// What is set in the view, as its text has it: "tile=As places=padded padding=3 element=5,76". Of the numbers it has only those of
// its kind of places.
struct LayoutOptions {
    std::string tile; // empty: that of the current access
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

// Places of one kind, and what the recorded accesses would cost with them.
struct TriedPlaces {
    Mapping mapping;
    std::shared_ptr<const Places> places;
    const TileCost* cost = nullptr; // not known yet while the accesses are gathered

    bool refused() const { return !places->valid() || (cost != nullptr && cost->refusal); }
    // Of places that are refused.
    const Message& refusal() const { return places->valid() ? *cost->refusal : *places->refusal; }
};

// What a person tries in one column and where they look, from frame to frame.
struct Trials {
    static constexpr std::size_t kinds = 5; // as in Mapping::Kind

    struct OfTile {
        Mapping::Kind kind = Mapping::Kind::recorded;
        std::array<std::optional<Mapping>, kinds> by_hand; // a person set their numbers, or the formula
    };
    std::map<std::string, OfTile> tiles; // by stage and tile
    PanZoom camera;

    // Of one tile of a block; another one begins without.
    std::tuple<RecordingPtr, const recording::BlockTrace*, uint8_t> of;
    std::optional<Cell> chosen;         // by click
    std::optional<std::string> formula; // that typing begins with; none once something was typed

    void begin(const StageColumn& stage, const Focus& focus, uint8_t array);
    void forget(); // all that was tried, of any tile: it opens as recorded
};

// Good for one frame; what it refers to is kept by the column.
class SharedTile {
public:
    static constexpr std::size_t kinds = Trials::kinds;
    static constexpr uint32_t none = 0xffffffff;

    SharedTile(const StageColumn& stage, const Focus& focus, uint8_t array, Trials& trials);

    Mapping::Kind kind() const { return now_.kind; }
    void choose(Mapping::Kind kind);
    const Mapping& mapping() const { return tried(kind()).mapping; }
    // Of the chosen kind; no other one is looked for from then on.
    void set(const Mapping& mapping, bool by_hand = false);
    // Of recorded places how they came about, where that is known; of others the same.
    const Mapping& explained(const Mapping& mapping) const
    {
        return mapping.kind == Mapping::Kind::recorded && origin_ ? *origin_ : mapping;
    }

    const TriedPlaces& tried(Mapping::Kind kind) const { return all[static_cast<std::size_t>(kind)]; }
    const TriedPlaces& recorded() const { return tried(Mapping::Kind::recorded); }
    // The chosen ones, or the recorded ones where those are refused.
    const TriedPlaces& shown() const { return tried(kind()).refused() ? recorded() : tried(kind()); }

    const recording::Array& tile() const { return stage_.recording->arrays[array_]; }
    const StageColumn& stage() const { return stage_; }
    std::size_t index(Cell cell) const { return std::size_t{cell.row} * tile().cols + cell.col; }
    uint32_t place_of(Cell cell) const { return shown().places->place[index(cell)]; }
    int bank_of(Cell cell) const { return model::bank_of(uint64_t{place_of(cell)} * tile().element_bytes); }
    // Index of the element at a place of what is shown, or none.
    uint32_t element_at(std::size_t place) const { return place < places() ? (*element_at_)[place] : none; }
    std::size_t places() const { return element_at_->size(); }
    // How much of what the selected warp does with the tile it has done before the step: 0 ... 1.
    double done() const { return done_; }
    // Who writes and reads an element.
    const std::vector<Toucher>& touchers(Cell cell) const;

    PanZoom& camera;
    std::optional<Cell>& chosen;       // by click
    std::optional<std::size_t> step;   // of the shared access that is shown, if it is to this tile
    std::optional<BankPicture> access; // that one, with the places shown

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
    const std::shared_ptr<const TileUse>* use_ = nullptr; // null while the accesses are gathered
    const std::optional<Mapping>* cure_ =
        nullptr; // an XOR for what recorded places cost; null while it is searched for
    std::array<TriedPlaces, kinds> all;
    const std::vector<uint32_t>* element_at_ = nullptr; // by place of what is shown
    double done_ = 0;
};

// Of the step, or the nearest one, that touches shared memory.
std::optional<std::size_t> step_in_shared(const Focus& focus);

// The name of the tile that the step, or the nearest that goes to shared memory, is about.
std::string tile_of_step(const Focus& focus);
// The clicked element; of the access that is shown, before another lane is chosen, the first whose place has flipped bits;
// else the first one of the selected lane, or of the access.
std::optional<Cell> selected_cell(const SharedTile& tile, const Focus& focus, uint32_t lane);

// Indices of the shared tiles of a recording that are no larger than can be drawn.
std::vector<uint8_t> shared_tiles(const recording::Recording& recording);

// "As: 512 conflicts, recorded 8,704"
Rich tile_headline(const SharedTile& tile);
// At length: its size and places, the element, why the access takes so long, what the colours say.
std::vector<Rich> tile_paragraphs(const Theme& theme, const SharedTile& tile, std::optional<Cell> cell);
Rich element_words(const SharedTile& tile, Cell cell);         // where it lies
std::string_view places_name(Mapping::Kind kind);              // "as recorded"
Rich places_words(const SharedTile& tile, Mapping::Kind kind); // what they cost, or why they are refused
std::string refusal_in_short(const TriedPlaces& tried);

// The tile as it lies in memory (memory_picture.cpp): a column per bank, and on it the words that the current access wants.
class TileMemory {
public:
    TileMemory(const ViewFrame& frame, SharedTile& tile, const Box& box);
    std::optional<Cell> element_at(ImVec2 point) const;
    void show_access(); // goes to its words
    // `elsewhere`: the tile that the step goes to, where it is another one. Marks of the first stage: "waiting words", "first words",
    // "tile cell", "name of row 7", "step elsewhere".
    void add(Figure& figure, std::optional<Cell> selected, const std::string& elsewhere) const;

private:
    Box words(double bank, double line, double count) const; // of neighbouring banks in one line
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
    uint32_t per_line = model::banks, lines = 1; // elements
    double width = 1, stretch = 1;               // of an element, in banks; height of a line by the width of a bank
};

// The bits of an element's row and column, and of its place (tile_pictures.cpp): which of them an XOR flips, and which are its bank.
// What is flipped has the stage's colour. Marks of the first stage: "deciding bit 2", "flipped bit 4", "with found", "without found".
Panel bits_panel(const Theme& theme, const SharedTile& tile, const Cell& cell, const Box& box);
float bits_height(const Theme& theme);

// Places that the elements could have, a row each: what every source line would cost with them, and how long a bar of wavefronts
// that makes. The bars race: at the time that the recorded places need for what is done at the step, each of the others has done so
// much of its own. Marks of the first stage: "places XOR", "race XOR", "done XOR", "conflicts 76 w" of the places that are shown.
struct TileCosts {
    const Theme& theme;
    const SharedTile& tile;
    Box box;
    std::optional<Cell> cell; // whose bank is shown with each of the places
    bool formulas = true;     // below each name, where there is room
    std::function<void(Mapping::Kind)> choose;
};
Panel costs_panel(const TileCosts& costs);
float costs_height(const Theme& theme, bool formulas);
float costs_names(const Theme& theme); // their width

} // namespace viz
