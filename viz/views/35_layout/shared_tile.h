// A shared tile of one stage: the places of its elements as recorded and as they could be, and what each costs.
#pragma once

#include "viz/analysis/bank_picture.h"
#include "viz/analysis/ownership.h"
#include "viz/analysis/tile_use.h"
#include "viz/draw/background.h"
#include "viz/draw/focus.h"
#include "viz/draw/pan_zoom.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace viz {

// Places of one kind, and what the recorded accesses would cost with them.
struct TriedPlaces {
    Mapping mapping;
    Places places;
    std::optional<TileCost> cost; // not known yet while the accesses are gathered

    bool refused() const { return !places.valid() || (cost && cost->refusal); }
    // Of places that are refused.
    const Message& refusal() const { return places.valid() ? *cost->refusal : *places.refusal; }
};

class SharedTile {
public:
    static constexpr std::size_t kinds = 5; // as in Mapping::Kind
    static constexpr uint32_t none = 0xffffffff;

    void update(const ShownStage& stage, const Focus& focus, uint8_t wanted);
    bool settled() const { return !work.busy() && !search.busy() && !camera.gliding(); }

    Mapping::Kind kind() const { return kind_; }
    void choose(Mapping::Kind kind);
    const Mapping& mapping() const { return tried(kind_).mapping; }
    // Of the chosen kind; no other one is looked for from then on.
    void set(const Mapping& mapping, bool by_hand = false);
    void forget(); // all that was tried, of any tile: it opens as recorded
    // Of recorded places how they came about, where that is known; of others the same.
    const Mapping& explained(const Mapping& mapping) const
    {
        return mapping.kind == Mapping::Kind::recorded && origin_ ? *origin_ : mapping;
    }

    const TriedPlaces& tried(Mapping::Kind kind) const { return all[static_cast<std::size_t>(kind)]; }
    const TriedPlaces& recorded() const { return tried(Mapping::Kind::recorded); }
    // The chosen ones, or the recorded ones where those are refused.
    const TriedPlaces& shown() const { return tried(kind_).refused() ? recorded() : tried(kind_); }

    bool shows_any() const { return recording != nullptr; }
    const recording::Array& tile() const { return recording->arrays[array]; }
    std::size_t index(Cell cell) const { return std::size_t{cell.row} * tile().cols + cell.col; }
    uint32_t place_of(Cell cell) const { return shown().places.place[index(cell)]; }
    int bank_of(Cell cell) const { return model::bank_of(uint64_t{place_of(cell)} * tile().element_bytes); }
    // Index of the element at a place of what is shown, or none.
    uint32_t element_at(std::size_t place) const { return place < element_at_.size() ? element_at_[place] : none; }
    std::size_t places() const { return element_at_.size(); }
    // How much of what the selected warp does with the tile it has done before the step: 0 ... 1.
    double done() const { return done_; }
    // Who writes and reads an element; kept until another one is asked for.
    const std::vector<Toucher>& touchers(Cell cell);

    PanZoom camera;
    std::optional<Cell> chosen;        // by click
    std::optional<std::size_t> step;   // of the shared access that is shown, if it is to this tile
    std::optional<BankPicture> access; // that one, with the places shown

private:
    void keep();
    void take_kept();
    void start(const ShownStage& stage, const Focus& focus, uint8_t wanted);
    void compute(TriedPlaces& one) const;
    void lay_out();
    void begin_search();
    void show_access(const Focus& focus);
    void follow(const Focus& focus);

    std::shared_ptr<const recording::Recording> recording;
    const recording::BlockTrace* block = nullptr;
    uint8_t array = 0;
    Elements elements;
    Mapping::Kind kind_ = Mapping::Kind::recorded;
    std::array<TriedPlaces, kinds> all;
    std::array<bool, kinds> by_hand_{}; // a person set their numbers, or the formula
    struct Tried {
        Mapping::Kind kind = Mapping::Kind::recorded;
        std::array<std::optional<Mapping>, kinds> by_hand;
    };
    std::string of_;                    // stage and tile
    std::map<std::string, Tried> kept_; // what was tried of others
    std::optional<Mapping> origin_;
    std::vector<uint32_t> element_at_;
    std::optional<TileUse> use;
    Background<TileUse> work;
    Background<std::optional<Mapping>> search; // for an XOR that cures what the recorded places cost
    const recording::WarpTrace* warp = nullptr;
    std::vector<std::size_t> warps_steps; // of that warp, that touch the tile
    double done_ = 0;
    std::optional<Cell> touched_cell;
    std::vector<Toucher> touched_by;
};

// Of the step, or the nearest one, that touches shared memory.
std::optional<std::size_t> step_in_shared(const Focus& focus);

// Indices of the shared tiles of a recording that are no larger than can be drawn.
std::vector<uint8_t> shared_tiles(const recording::Recording& recording);

} // namespace viz
