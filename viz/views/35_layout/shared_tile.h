// A shared tile of one stage: the places of its elements as recorded and as they could be, and what each costs.
#pragma once

#include "viz/analysis/bank_picture.h"
#include "viz/analysis/ownership.h"
#include "viz/analysis/tile_use.h"
#include "viz/draw/focus.h"
#include "viz/draw/pan_zoom.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace viz {

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

// Indices of the shared tiles of a recording that are no larger than can be drawn.
std::vector<uint8_t> shared_tiles(const recording::Recording& recording);

} // namespace viz
